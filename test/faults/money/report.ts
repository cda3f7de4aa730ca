import { kinds } from './recount/finding'
import type { Done } from './run'

/** Prints what was done and what was found; whether nothing was. */
export function report({ world, findings, faults }: Done, print: (line: string) => void): boolean {
  const sorted = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([what, n]) => `${what}: ${n}`)
      .join('; ')
  print(`done: ${sorted(world.counts)}`)
  print(`answers: ${sorted(world.client.counts)}`)
  print(
    `faults: ${sorted(faults)}; processes that ended unasked: ${sorted(world.stack.ends) || 'none'}; answers lost: ${[...world.stack.proxies.values()].reduce((sum, proxy) => sum + proxy.lost(), 0)}; lies: ${world.stack.node.front.told()}`,
  )
  for (const { kind, id, what } of findings) print(`${kind.toUpperCase()}  ${id}  ${what}`)
  const counts = kinds.map((kind) => `${findings.filter((each) => each.kind === kind).length} ${kind}`)
  print(counts.join(', '))
  return findings.length === 0
}
