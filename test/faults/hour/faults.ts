import { existsSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { RedisClient } from 'bun'
import { count } from './journal'
import type { Random } from './random'
import { faketime, names, type Stack } from './stack'

export interface Faults {
  stack: Stack
  random: Random
  counts: Record<string, number>
  isOver(): boolean
  log(line: string): void
}

const seconds = (random: Random, from: number, to: number) => random.between(from * 1000, to * 1000)

/** Waits, but no longer than the run lasts. */
async function pause({ isOver }: Faults, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end && !isOver()) await Bun.sleep(Math.min(200, Math.max(1, end - performance.now())))
}

/** SIGKILLs of every process, and jumps of the ledger's clock over its restarts. */
export async function breakProcesses(faults: Faults): Promise<void> {
  const { stack, random, counts, log } = faults
  while (!faults.isOver()) {
    await pause(faults, seconds(random, 4, 25))
    if (faults.isOver()) return
    if (random.chance(0.15) && existsSync(faketime)) await jump(faults)
    else {
      const killed = random.chance(0.15) ? [...names] : [random.pick(names)]
      for (const name of killed) count(counts, `SIGKILL ${name}`)
      log(`SIGKILL ${killed.join(', ')}`)
      await Promise.all(killed.map((name) => stack.kill(name)))
      await pause(faults, random.chance(0.3) ? seconds(random, 1, 15) : 0)
      await Promise.all(killed.map((name) => stack.start(name)))
    }
  }
}

async function jump(faults: Faults): Promise<void> {
  const { stack, random, counts, log } = faults
  const clock = random.pick(['+365d', '+365d', '-365d'])
  count(counts, `clock of the ledger ${clock} and back`)
  log(`clock of the ledger ${clock}`)
  await stack.kill('core-ledger')
  await stack.start('core-ledger', clock)
  await pause(faults, seconds(random, 5, 40))
  await stack.kill('core-ledger')
  await stack.start('core-ledger')
  log('clock of the ledger right again')
}

/** Redis stopped, killed, killed with its last second lost, frozen; the disk full. */
export async function breakGround(faults: Faults): Promise<void> {
  const { random } = faults
  while (!faults.isOver()) {
    await pause(faults, seconds(random, 8, 30))
    if (faults.isOver()) return
    await (random.chance(0.3) ? fillDisk(faults) : breakRedis(faults)).catch((error) =>
      faults.log(`no fault: ${error}`),
    )
  }
}

async function fillDisk(faults: Faults): Promise<void> {
  const { stack, random, counts, log } = faults
  const ms = seconds(random, 2, 15)
  count(counts, 'disk full')
  log(`disk full for ${ms} ms`)
  stack.disk.fill()
  try {
    await pause(faults, ms)
  } finally {
    stack.disk.free()
  }
}

async function breakRedis(faults: Faults): Promise<void> {
  const { stack, random, counts, log } = faults
  const { redis } = stack
  const kind = random.pick(['stopped', 'killed', 'killed, its last second lost', 'frozen'])
  const ms = random.chance(0.2) ? seconds(random, 30, 60) : seconds(random, 1, 15)
  count(counts, `Redis ${kind}`)
  log(`Redis ${kind} for ${ms} ms`)
  if (kind === 'frozen') {
    redis.pause()
    await pause(faults, ms)
    return redis.resume()
  }
  if (kind === 'stopped') await redis.stop()
  else if (kind === 'killed') await redis.kill()
  else await loseLastSecond(stack)
  await pause(faults, ms)
  // A busy machine may take longer than one start has.
  await redis.restart().catch(() => redis.restart())
}

/** What it wrote in its last second is cut off its file: it syncs once a second. */
async function loseLastSecond({ redis }: Stack): Promise<void> {
  const client = new RedisClient(redis.url)
  const { dir } = (await client.send('CONFIG', ['GET', 'dir'])) as { dir: string }
  const folder = join(dir, 'appendonlydir')
  const last = () =>
    join(
      folder,
      readdirSync(folder)
        .filter((file) => file.endsWith('.incr.aof'))
        .sort()
        .at(-1) ?? '',
    )
  const file = last()
  const { size } = statSync(file)
  await Bun.sleep(1000)
  await redis.kill()
  client.close()
  if (last() === file) truncateSync(file, size)
}
