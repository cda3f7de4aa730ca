import { chainServices, type Stack, startStack } from '../faults/chains-stack'
import { addEnded } from './ended-withdrawals'
import { payIn, setting } from './withdrawals'

/** Withdrawals before those that are measured. */
const sizes = [1000, 200_000]

/**
 * The processor time of a withdrawal at the wallet and the blockchain service with many ended ones before it, beside few.
 * Two stacks in turn, so that what else the machine does concerns both.
 */
export async function measureAfterEnded(count: number): Promise<void> {
  const stacks = []
  for (const size of sizes) {
    const stack = await startStack()
    const { payAll } = await setting(stack, { accounts: 50, fund: payIn })
    await payAll(50)
    for (const name of chainServices) await stack.kill(name, 'SIGTERM')
    addEnded(stack.dataDir, size)
    for (const name of chainServices) stack.start(name)
    await Promise.all(chainServices.map(stack.ready))
    await payAll(50)
    await quiet(() => used(stack))
    stacks.push({ stack, payAll, usedMs: 0 })
  }
  const rounds = 4
  for (let round = 0; round < rounds; round++) {
    for (const each of round % 2 === 0 ? stacks : stacks.toReversed()) {
      const before = used(each.stack)
      await each.payAll(count)
      each.usedMs += used(each.stack) - before
    }
  }
  const [few = 0, many = 0] = stacks.map(({ usedMs }) => usedMs / (rounds * count))
  console.log(
    `wallet and blockchain service, ms of processor for each: ${few.toFixed(2)} with ${sizes[0]} ended before, ` +
      `${many.toFixed(2)} with ${sizes[1]}: ${(many / few).toFixed(2)} (goal: at most 1.10)`,
  )
  for (const { stack } of stacks) await stack.close()
}

const used = (stack: Stack): number => stack.cpuMs('wallet') + stack.cpuMs('blockchain')

/** Resolves when others have followed all that they list of ended withdrawals, which they do after each of their starts. */
async function quiet(usedMs: () => number): Promise<void> {
  for (let calm = 0, before = usedMs(); calm < 3; ) {
    await Bun.sleep(5000)
    const now = usedMs()
    calm = now - before < 150 ? calm + 1 : 0
    before = now
  }
}
