import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Place, Scenario, Subject } from './scenario'
import type { seed } from './seed'

/** Another checkout, whose services are measured instead of the floors. */
export interface Earlier {
  commit: string
  /** What it measures itself by, in its own words. */
  scenarios: readonly Scenario[]
  seed: typeof seed
}

/** A rate below this share of the earlier one is slower: medians of one and the same service differ by less. */
const asFast = 0.95

/** Reads the benchmark of another checkout. Throws a sentence when the folder has none. */
export async function readEarlier(folder: string, entries: number): Promise<Earlier> {
  const bench = join(resolve(folder), 'test/bench')
  if (!existsSync(bench)) throw new Error(`${folder} is no checkout with a test/bench`)
  const [{ scenariosFor, scenarios }, { seed }, commit] = await Promise.all([
    import(join(bench, 'scenarios/index.ts')),
    import(join(bench, 'seed.ts')),
    Bun.$`git rev-parse --short HEAD`.cwd(bench).text(),
  ])
  // Before it could be chosen how large the large ledger is, the list was a constant.
  return { commit: commit.trim(), scenarios: scenariosFor?.({ entries }) ?? scenarios, seed }
}

/** Each service of these scenarios with the same one of the earlier checkout, in turn under the same load. */
export const besideEarlier = (
  chosen: readonly Scenario[],
  earlier: Earlier,
  { place, tell }: { place: Place; tell: (said: string) => void },
): Scenario[] =>
  chosen.flatMap((scenario) => {
    const theirs = earlier.scenarios.find(({ name }) => name === scenario.name)
    const twins = theirs?.subjects.filter(isService) ?? []
    return scenario.subjects.filter(isService).flatMap((subject, i) => {
      const twin = twins[i]
      if (!theirs || !twin) {
        tell(`SKIPPED ${scenario.title}, ${subject.name}: ${earlier.commit} does not measure it`)
        return []
      }
      const against = `${earlier.commit}: ${twin.name}`
      const past: Subject = {
        name: against,
        floor: true,
        load: twin.load ?? theirs.load,
        start: () => twin.start(place, []),
      }
      const goals = scenario.connections.map((connections) => ({
        of: subject.name,
        connections,
        share: asFast,
        against,
      }))
      return [{ ...scenario, subjects: [subject, past], goals }]
    })
  })

const isService = ({ name, floor }: Subject): boolean => !floor && name.startsWith('service')
