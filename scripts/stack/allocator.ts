import type { Environment } from '@bursar/http'

/**
 * The environment with how Bun's allocator gives memory back, where it does not say itself. A service rests some
 * milliseconds after each batch, and Bun takes the rests, ten times a second, to give back what the next batch faults in
 * again: a tenth to a third of a payment's processor time. Once in some seconds keeps as little. The allocator reads
 * this before any code of ours runs, so only who starts a process can set it.
 */
export const withAllocator = <Given extends Environment>(env: Given) => ({
  ...env,
  MIMALLOC_PURGE_DELAY: env.MIMALLOC_PURGE_DELAY ?? '1000',
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: env.MIMALLOC_PURGE_HOLES_MIN_INTERVAL ?? '3000',
})
