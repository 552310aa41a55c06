"""scripts/setup.sh and scripts/fetch_data.sh on machines made of small fakes: no apt, no network, no root."""
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ["mnist/train-images-idx3-ubyte", "mnist/train-labels-idx1-ubyte", "mnist/t10k-images-idx3-ubyte",
         "mnist/t10k-labels-idx1-ubyte", "tmnist_fonts/ibm-plex-sans-latin-500-italic.woff",
         "tmnist_fonts/bahianita-latin-400-normal.woff"]


class Machine(unittest.TestCase):
    """A folder with copies of the scripts, a PATH of fakes in front of the real one, and a log of their calls."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.bin, self.log = self.folder / "bin", self.folder / "log"
        self.bin.mkdir()
        self.log.touch()
        shutil.copytree(ROOT / "scripts", self.folder / "scripts")
        self.store = self.folder / "cache" / "algprior"
        for name in ("apt-get", "sudo", "curl", "npm"):
            self.fake(name, "exit 1")

    def fake(self, name, body):
        path = self.bin / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.log}"\n{body}\n')
        path.chmod(0o755)

    def run_script(self, *words, **variables):
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.folder), "CI": "true",
                       "XDG_CACHE_HOME": str(self.folder / "cache"), "LC_ALL": "C", **variables}
        done = subprocess.run([self.folder / "scripts" / words[0], *words[1:]], env=environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def calls(self, name):
        return [line for line in self.log.read_text().splitlines() if line.startswith(name + " ")]

    def accept_content(self, name):
        """Makes the script expect our own few bytes for a file instead of the real ones; returns them."""
        content = f"content of {name}\n".encode()
        script = self.folder / "scripts" / "fetch_data.sh"
        text, short = script.read_text(), name.split("/")[1]
        real = re.search(rf"^{short} ([0-9a-f]{{64}})$", text, re.M)
        if real is None:
            real = re.search(rf"font={re.escape(short)}\n.*?\|([0-9a-f]{{64}})\|", text)
        script.write_text(text.replace(real[1], hashlib.sha256(content).hexdigest()))
        return content

    def fill_store(self):
        for name in FILES:
            (self.store / name).parent.mkdir(parents=True, exist_ok=True)
            (self.store / name).write_bytes(b"here")


class Packages(Machine):
    def setUp(self):
        super().setUp()
        self.fill_store()

    def installed(self, *absent):
        """dpkg-query knows every package but these, and fails when asked for one of them, as the real one does."""
        listed = "|".join(absent) or "none"
        self.fake("dpkg-query", f"""code=0
            for p in "$@"; do case "$p" in -*|*'{{'*) ;; {listed}) code=1 ;; *) echo "installed $p" ;; esac; done
            exit $code""")

    def test_touches_nothing_when_all_is_there(self):
        self.installed()
        code, output = self.run_script("setup.sh")
        self.assertEqual((code, output), (0, ""))
        self.assertEqual(self.calls("apt-get") + self.calls("curl") + self.calls("npm"), [])

    def test_installs_only_what_is_missing_as_root(self):
        self.installed("libtorch-dev", "ccache")
        self.fake("id", "echo 0")
        self.fake("apt-get", "exit 0")
        code, output = self.run_script("setup.sh")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.calls("apt-get"), ["apt-get update -q",
                         "apt-get install -y --no-install-recommends ccache libtorch-dev"])

    def test_goes_on_with_old_lists_when_the_update_fails(self):
        self.installed("ccache")
        self.fake("id", "echo 0")
        self.fake("apt-get", '[ "$1" = install ]')
        self.assertEqual(self.run_script("setup.sh")[0], 0)

    def test_a_failed_installation_fails(self):
        self.installed("ccache")
        self.fake("id", "echo 0")
        self.assertNotEqual(self.run_script("setup.sh")[0], 0)

    def test_uses_sudo_without_password(self):
        self.installed("ccache")
        self.fake("id", "echo 1000")
        self.fake("sudo", 'if [ "$1" = -n ]; then exit 0; fi; "$@"')
        self.fake("apt-get", "exit 0")
        code, output = self.run_script("setup.sh")
        self.assertEqual(code, 0, output)
        self.assertEqual(len(self.calls("apt-get")), 2)

    def test_without_root_or_sudo_says_the_exact_line(self):
        self.installed("libtorch-dev", "ccache")
        self.fake("id", "echo 1000")
        code, output = self.run_script("setup.sh")
        self.assertEqual(code, 1)
        self.assertIn("    apt-get install -y --no-install-recommends ccache libtorch-dev\n", output)
        self.assertEqual(self.calls("apt-get"), [])

    def test_an_unknown_word_is_refused(self):
        code, output = self.run_script("setup.sh", "fromat")
        self.assertEqual(code, 2)
        self.assertIn("format", output)


class Data(Machine):
    def test_a_fetch_without_network_is_a_warning(self):
        self.fake("curl", "exit 6")
        code, output = self.run_script("fetch_data.sh")
        self.assertEqual(code, 0)
        for name in FILES:
            self.assertIn(name, output)
        self.assertIn(str(self.store), output)
        # A host that cannot be reached is asked once, not once a file.
        self.assertEqual(len(self.calls("curl")), 3)
        # The next run leaves the network alone, --retry does not.
        self.log.write_text("")
        self.assertIn("--retry", self.run_script("fetch_data.sh")[1])
        self.assertEqual(self.calls("curl"), [])
        self.run_script("fetch_data.sh", "--retry")
        self.assertNotEqual(self.calls("curl"), [])

    def test_takes_https_and_unpacks(self):
        name = "mnist/t10k-labels-idx1-ubyte"
        content = self.accept_content(name)
        (self.folder / "answer").write_bytes(gzip.compress(content))
        self.fake("curl", f"""while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
            case $1 in https://*/t10k-labels-idx1-ubyte.gz) cp {self.folder}/answer "$out" ;; *) exit 22 ;; esac""")
        code, _ = self.run_script("fetch_data.sh")
        self.assertEqual(code, 0)
        self.assertEqual((self.store / name).read_bytes(), content)
        self.assertTrue(all("--connect-timeout 5" in call for call in self.calls("curl")))

    def test_takes_npm_where_https_fails(self):
        name = "tmnist_fonts/bahianita-latin-400-normal.woff"
        content = self.accept_content(name)
        package = self.folder / "made" / "package" / "files"
        package.mkdir(parents=True)
        (package / name.split("/")[1]).write_bytes(content)
        self.fake("npm", f"""case "$*" in *@fontsource/bahianita@*) tar czf a.tgz -C {self.folder}/made package ;;
            *) exit 1 ;; esac""")
        self.fake("curl", "exit 6")
        self.assertEqual(self.run_script("fetch_data.sh")[0], 0)
        self.assertEqual((self.store / name).read_bytes(), content)

    def test_wrong_content_gets_no_name(self):
        self.fake("curl", """while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
            echo "<html>please log in</html>" >"$out" """)
        code, output = self.run_script("fetch_data.sh")
        self.assertEqual(code, 0)
        self.assertIn("warning", output)
        self.assertEqual([p for p in self.store.rglob("*") if p.is_file() and p.name != ".fetch-failed"], [])

    def test_fetches_nothing_that_a_data_folder_has(self):
        data = self.folder / "data"
        for name in ("MNIST/raw/train-images-idx3-ubyte", "mnist/train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte",
                     "mnist/t10k-labels-idx1-ubyte", "tmnist_fonts/Bahianita-Regular.ttf",
                     "tmnist_fonts/ibm-plex-sans-latin-500-italic.woff2"):
            (data / name).parent.mkdir(parents=True, exist_ok=True)
            (data / name).write_bytes(b"here")
        self.assertEqual(self.run_script("fetch_data.sh", ALGPRIOR_DATA=f"/nowhere:{data}"), (0, ""))
        self.assertEqual(self.calls("curl") + self.calls("npm"), [])

    def test_names_and_checksums_are_those_of_the_catalogue(self):
        script = (ROOT / "scripts" / "fetch_data.sh").read_text()
        catalogue = (ROOT / "src" / "store" / "catalogue.cpp").read_text()
        sums = re.findall(r"\b[0-9a-f]{64}\b", script)
        self.assertEqual(len(sums), len(FILES))
        for word in sums + [name.split("/")[1] for name in FILES]:
            self.assertIn(word, catalogue)


if __name__ == "__main__":
    unittest.main()
