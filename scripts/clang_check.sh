#!/usr/bin/env bash
# Reads every C++ file with clang, without making anything: what g++ lets pass and clang does not would
# break the fuzz preset, clang-tidy and users of clang. Rooms, programs and tests are read as one file
# each (ALGPRIOR_UNITY), because headers take most of the time.
#   scripts/clang_check.sh           the half without LibTorch, fuzz targets with it
#   scripts/clang_check.sh torch     the other half too
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh fuzz
mkdir -p build
half=${1:-}
folder=build/clang-check$half
cmake -S . -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
  -DALGPRIOR_UNITY=ON -DALGPRIOR_WERROR=ON -DALGPRIOR_FUZZ=ON \
  -DALGPRIOR_TORCH="$([ "$half" = torch ] && echo ON || echo OFF)" >"$folder.log" 2>&1 ||
  { cat "$folder.log"; exit 1; }
cmake --build "$folder" --target algprior_commit >/dev/null

# Each command of the build once, with its output taken away.
python3 - "$folder/compile_commands.json" <<'PYTHON'
import concurrent.futures, json, os, shlex, subprocess, sys

def read(entry):
    words = shlex.split(entry["command"])
    words = words[next(i for i, w in enumerate(words) if w.endswith("clang++")):]
    kept, skip = [], False
    for word in words:
        if not skip and word not in ("-o", "-MF", "-MT", "-c", "-MD"):
            kept.append(word)
        skip = not skip and word in ("-o", "-MF", "-MT")
    # A precompiled header would have to be made first; its header is read like any other.
    kept = [w for w in kept if w not in ("-Winvalid-pch", "-Xclang", "-include-pch", "-emit-pch")
            and not w.endswith(".pch")]
    # Test variants ask for one contraction of floats and take it back on purpose.
    done = subprocess.run(kept + ["-fsyntax-only", "-Wno-overriding-t-option"], cwd=entry["directory"], capture_output=True, text=True)
    return entry["file"], done

# Left out: precompiled headers, and the page's examples, which the build writes and g++ compiles.
entries = [e for e in json.load(open(sys.argv[1]))
           if not e["file"].endswith((".hxx", ".hxx.cxx")) and "documentation_test" not in e["file"]]
failed = 0
with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
    for file, done in pool.map(read, entries):
        if done.returncode != 0:
            failed += 1
            print(f"clang does not accept {os.path.relpath(file)}:\n{done.stderr}")
print(f"clang: {len(entries) - failed} of {len(entries)} files accepted")
sys.exit(failed != 0)
PYTHON
