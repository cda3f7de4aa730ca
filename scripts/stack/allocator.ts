import type { Environment } from '@bursar/http'

/**
 * The environment with how Bun takes memory and gives it back, where it does not say itself. A service rests some
 * milliseconds after each batch, and Bun takes the rests, ten times a second, to give back what the next batch faults in
 * again: a tenth to a third of a payment's processor time. Once in some seconds keeps as little. A thread of its garbage
 * collector touches blocks of the heap before they are used, which takes longer than using them: another eighth.
 * All this is read before any code of ours runs, so only who starts a process can set it. Another version of Bun may not
 * know the last one, and then says so and ends: package.json and the container name the version.
 */
export const withAllocator = <Given extends Environment>(env: Given) => ({
  ...env,
  MIMALLOC_PURGE_DELAY: env.MIMALLOC_PURGE_DELAY ?? '1000',
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: env.MIMALLOC_PURGE_HOLES_MIN_INTERVAL ?? '3000',
  BUN_JSC_useWarmUpMarkedBlocks: env.BUN_JSC_useWarmUpMarkedBlocks ?? '0',
})
