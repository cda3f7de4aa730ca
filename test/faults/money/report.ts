// What a run has done and found, in one block.
import { arrivalsIn } from './recount/arrivals'
import { kinds } from './recount/finding'
import type { State } from './recount/state'
import type { Done } from './run'

type Counts = Record<string, number>

/** Prints what was done and what was found; whether nothing was. */
export function report(done: Done, print: (line: string) => void): boolean {
  const { world, findings } = done
  print(`asked: ${words(world.counts)}`)
  print(`answers: ${words(world.client.counts)}`)
  for (const [what, counts] of [...moneyOf(done), ...faultsOf(done)]) print(`${what.padEnd(24)} ${words(counts)}`)
  for (const { kind, id, what } of findings) print(`${kind.toUpperCase()}  ${id}  ${what}`)
  const found = kinds.map((kind) => `${findings.filter((each) => each.kind === kind).length} ${kind}`)
  print(`${'found'.padEnd(24)} ${found.join(', ')}`)
  return findings.length === 0
}

const words = (counts: Counts): string =>
  Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, n]) => `${what}: ${n}`)
    .join('; ') || 'none'

function tally<T>(list: readonly T[], nameOf: (each: T) => string): Counts {
  const counts: Counts = {}
  for (const each of list) counts[nameOf(each)] = (counts[nameOf(each)] ?? 0) + 1
  return counts
}

function moneyOf({ state, world, knowledge }: Done): [what: string, counts: Counts][] {
  const { transactions, journal, payments, chainOrders, frozenAgain } = state
  const paid = transactions.filter(({ type, status }) => type === 'WITHDRAWAL' && status === 'COMPLETED')
  const moved = journal.filter(({ kind }) => kind === 'execution' || kind === 'fee')
  return [
    ['transactions', tally(transactions, ({ type, status }) => `${type} ${status}`)],
    ['deposits', depositsIn(state, knowledge.byHand)],
    ['withdrawals paid', tally(paid, ({ network }) => network)],
    ['withdrawals', { 'frozen again': frozenAgain.length }],
    ['executions', { 'sent on their way': world.counts['executions 200'] ?? 0 }],
    ['booked movements', tally(moved, ({ kind }) => kind)],
    ['payments between banks', tally(payments, ({ type, status }) => `${type} ${status}`)],
    ['orders of institutions', tally(chainOrders, ({ status }) => status)],
  ]
}

function depositsIn(state: State, byHand: ReadonlySet<string>): Counts {
  const onChain = new Set(arrivalsIn(state).map(({ network, hash }) => `${network} ${hash}`))
  return tally(
    state.transactions.filter(({ type }) => type === 'DEPOSIT'),
    ({ network, txHash }) => {
      const key = `${network} ${txHash}`
      if (!onChain.has(key)) return 'by hand, on no chain'
      return `${network}${byHand.has(key) ? ', by hand as well' : ''}`
    },
  )
}

function faultsOf({ faults, world }: Done): [what: string, counts: Counts][] {
  const { stack } = world
  const lost = [...stack.proxies].map(([name, proxy]) => [name, proxy.lost()] as const)
  return [
    ['faults', faults],
    ['ended unasked', stack.ends],
    ['answers lost', Object.fromEntries(lost)],
    ['lies of the node', { told: stack.node.front.told() }],
  ]
}
