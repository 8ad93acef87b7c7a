/* Memory that copies share until they write to it. Not a public header.
 *
 * Large blocks of a frozen object lie in files that are only in memory (memfd). Its copies map the
 * pages of these files: the system copies a page when one of them writes to it. Where that is not
 * possible (another system, a caller's own allocator, no more files), blocks are copied as a whole,
 * with the same contents. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

/* The allocator to make a frozen object with, as a copy of one with allocator `a`. A block of it
 * that ori_copy_memory has filled cannot be written to. */
orr_allocator ori_frozen_allocator(const orr_allocator *a);

/* The allocator of copies of an object that was made with `a`; it frees the blocks of `a`, too. */
orr_allocator ori_copy_allocator(const orr_allocator *a);

/* Whether `a` is one of these two, with which blocks may be shared. */
bool ori_is_shared(const orr_allocator *a);

/* Copies the first `size` bytes of a block to those of a block of a copy; shared: of such an
 * allocator. What follows them in `to` is undefined afterwards. */
orr_status ori_copy_memory(bool to_shared, void *to, bool from_shared, const void *from,
                           size_t size, orr_error *err);
