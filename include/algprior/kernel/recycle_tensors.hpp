#pragma once

namespace algprior {

/// One call for a program that trains: from here on LibTorch's large tensors (eight megabytes or
/// more, on the CPU) live in memory that is kept and used again, as those of our kernels always do.
/// Training allocates the same sizes at every step; without this each of them costs a page fault
/// for every 4 KB. At most an eighth of the machine's memory (or 1 GB) is kept unused. A second
/// call changes nothing. Call it before other threads start. The program algprior needs no call.
void recycle_tensors();

}  // namespace algprior
