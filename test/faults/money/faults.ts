// What breaks, when the seed says so. Each fault ends by itself; two never have the same process at a time.
import type { ServiceName } from '@bursar/contracts/services'
import { bringBack, type Faults, note, pause } from './fault'
import { lies } from './lying-node'
import type { Unit } from './processes'
import type { Random } from './random'
import { restoreOne } from './restores'

type Fault = (faults: Faults, unit: Unit) => Promise<void>

/** Of a process. */
const ofUnits: readonly (readonly [weight: number, fault: Fault])[] = [
  [8, kill],
  [3, freeze],
  [3, jumpClock],
  [2, fillDisk],
]
/** These are broken more often. */
const money: readonly ServiceName[] = ['core-ledger', 'wallet', 'blockchain', 'transaction-manager', 'sanctions']
/** Of what all share. */
const ofAll: readonly (readonly [weight: number, fault: (faults: Faults) => Promise<void>])[] = [
  [3, breakRedis],
  [2, breakNode],
  [4, lieAboutChain],
  [4, loseAnswers],
]

/** So many faults at a time; the last lane has those that all share. */
export async function breakThings(faults: Faults, lanes: number, restorePercent: number): Promise<void> {
  if (lanes === 0) return
  const busy = new Set<string>()
  const units = Array.from({ length: Math.max(1, lanes - 1) }, () => breakUnits(faults, busy, restorePercent))
  await Promise.all([breakGround(faults), ...units])
}

async function breakUnits(faults: Faults, busy: Set<string>, restorePercent: number): Promise<void> {
  const { random, world } = faults
  while (!faults.isOver()) {
    await pause(faults, random.between(1000, 6000))
    const free = world.stack.units.filter(({ name }) => !busy.has(name))
    const ofMoney = free.filter(({ services }) => services.some((name) => money.includes(name)))
    const unit = random.pick(random.chance(0.6) && ofMoney.length > 0 ? ofMoney : free)
    if (faults.isOver() || !unit) continue
    const fault = random.chance(restorePercent / 100) ? restoreOne : drawn(random, ofUnits)
    busy.add(unit.name)
    await fault(faults, unit).finally(() => busy.delete(unit.name))
  }
}

async function breakGround(faults: Faults): Promise<void> {
  while (!faults.isOver()) {
    await pause(faults, faults.random.between(2000, 8000))
    if (!faults.isOver()) await drawn(faults.random, ofAll)(faults)
  }
}

function drawn<T>(random: Random, choices: readonly (readonly [number, T])[]): T {
  let left = random.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, choice] of choices) {
    left -= weight
    if (left < 0) return choice
  }
  return (choices[0] as readonly [number, T])[1]
}

async function kill(faults: Faults, unit: Unit): Promise<void> {
  const { random, world } = faults
  const awayMs = random.chance(0.3) ? random.between(1000, 8000) : 0
  note(faults, `SIGKILL ${unit.name}`, `away for ${awayMs} ms`)
  await world.stack.end(unit, 'SIGKILL')
  await pause(faults, awayMs)
  await bringBack(faults, unit)
}

async function freeze(faults: Faults, unit: Unit): Promise<void> {
  const ms = faults.random.between(500, 12_000)
  note(faults, `SIGSTOP ${unit.name}`, `${ms} ms`)
  faults.world.stack.signal(unit, 'SIGSTOP')
  await pause(faults, ms)
  faults.world.stack.signal(unit, 'SIGCONT')
}

const day = 86_400_000

async function jumpClock(faults: Faults, unit: Unit): Promise<void> {
  const off = faults.random.pick([365 * day, -365 * day, 3_600_000, -60_000])
  note(faults, `clock of ${unit.name} off`, `by ${off / 1000} s`)
  faults.world.stack.setClock(unit, off)
  await pause(faults, faults.random.between(500, 6000))
  faults.world.stack.setClock(unit, 0)
}

async function fillDisk(faults: Faults, unit: Unit): Promise<void> {
  const ms = faults.random.between(500, 8000)
  note(faults, `full disk of ${unit.name}`, `${ms} ms`)
  faults.world.stack.fillDisk(unit, true)
  await pause(faults, ms)
  faults.world.stack.fillDisk(unit, false)
}

async function breakRedis(faults: Faults): Promise<void> {
  const { random, world } = faults
  const { redis } = world.stack
  const [kind, ms] = [random.pick(['killed', 'stopped', 'frozen']), random.between(500, 8000)]
  note(faults, `Redis ${kind}`, `${ms} ms`)
  if (kind === 'frozen') redis.pause()
  else await (kind === 'killed' ? redis.kill() : redis.stop())
  await pause(faults, ms)
  if (kind === 'frozen') redis.resume()
  // A busy machine may take longer than one start has.
  else await redis.restart().catch(() => redis.restart())
}

async function breakNode(faults: Faults): Promise<void> {
  const { random, world } = faults
  const { node } = world.stack
  const [kind, ms] = [random.pick(['killed', 'frozen']), random.between(500, 6000)]
  note(faults, `node ${kind}`, `${ms} ms`)
  if (kind === 'killed') await node.kill()
  else node.freeze()
  await pause(faults, ms)
  if (kind === 'killed') await node.start()
  else node.thaw()
}

async function lieAboutChain(faults: Faults): Promise<void> {
  const { random, world } = faults
  const lie = random.pick(lies)
  note(faults, `the node lies: ${lie}`)
  world.stack.node.front.lie(lie)
  await pause(faults, random.between(500, 6000))
  world.stack.node.front.lie(null)
}

/** On their way between services, and to the callers outside. */
async function loseAnswers(faults: Faults): Promise<void> {
  const { random, world } = faults
  const percent = random.pick([2, 5, 20])
  note(faults, `${percent} % of the answers are lost`)
  for (const proxy of world.stack.proxies.values()) proxy.lose(percent)
  world.client.leaveEarly(percent)
  await pause(faults, random.between(1000, 8000))
  for (const proxy of world.stack.proxies.values()) proxy.lose(0)
  world.client.leaveEarly(0)
}

/** Everything runs, with the right time, and nobody lies. */
export async function endFaults({ world }: Faults): Promise<void> {
  const { stack } = world
  for (const unit of stack.units) {
    stack.signal(unit, 'SIGCONT')
    stack.start(unit)
    if (!(await stack.answers(unit))) throw new Error(`${unit.name} does not come back; see ${stack.logs}`)
  }
}
