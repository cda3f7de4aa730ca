import { drive, type Figures, medians } from './drive'
import { memoryMb, type Running } from './processes'
import type { Place, Scenario, Subject } from './scenario'

/** What was found of one subject at one number of connections. */
export interface Result extends Figures {
  subject: string
  floor: boolean
  connections: number
  /** Requests per second in each round. */
  perRound: readonly number[]
  /** Resident, after the last round. */
  memoryMb: number
}

interface Effort {
  rounds: number
  seconds: number
  /** Seconds without load, after the start of all subjects. */
  settle?: number
  /** Seconds of load before the first round, at each number of connections: what is compiled then is in no figure. */
  warmUp: number
  tell: (progress: string) => void
}

interface Started {
  subject: Subject
  server: Running
}

/**
 * Measures all subjects of a scenario side by side: each round takes every subject in turn, another one first, so that
 * what disturbs the machine disturbs them alike.
 */
export async function measure(
  scenario: Scenario,
  place: Place,
  { rounds, seconds, settle = 0, warmUp, tell }: Effort,
): Promise<Result[]> {
  const running: Running[] = []
  try {
    const subjects = scenario.subjects.filter((subject) => {
      const reason = subject.skipped?.() ?? null
      if (reason !== null) tell(`SKIPPED ${subject.name}: ${reason}`)
      return reason === null
    })
    for (const subject of subjects) running.push(await subject.start(place, running))
    const servers = subjects.map((subject, i) => ({ subject, server: running[i] as Running }))
    if (settle > 0) tell('settling')
    await Bun.sleep(settle * 1000)
    tell('warming up')
    for (const connections of scenario.connections) {
      for (const started of servers) await load(scenario, started, connections, warmUp)
    }
    const found = new Map<string, Figures[]>()
    for (let round = 1; round <= rounds; round++) {
      tell(`round ${round} of ${rounds}`)
      for (const connections of scenario.connections) {
        for (const started of rotated(servers, round)) {
          const key = `${started.subject.name} ${connections}`
          const figures = await load(scenario, started, connections, seconds)
          found.set(key, [...(found.get(key) ?? []), figures])
        }
      }
    }
    return await results(scenario, servers, found)
  } finally {
    for (const server of running.reverse()) await server.stop()
  }
}

const rotated = <T>(all: readonly T[], by: number): T[] => all.map((_, i) => all[(i + by) % all.length] as T)

const load = (scenario: Scenario, { subject, server }: Started, connections: number, seconds: number) =>
  server.drive?.(connections, seconds) ?? drive(server, subject.load ?? scenario.load, connections, seconds)

async function results(
  scenario: Scenario,
  servers: readonly Started[],
  found: ReadonlyMap<string, Figures[]>,
): Promise<Result[]> {
  const memory = await Promise.all(servers.map(({ server }) => memoryMb(server.pid)))
  return scenario.connections.flatMap((connections) =>
    servers.map(({ subject }, i) => {
      const figures = found.get(`${subject.name} ${connections}`) ?? []
      return {
        subject: subject.name,
        floor: subject.floor === true,
        connections,
        perRound: figures.map(({ requestsPerSecond }) => requestsPerSecond),
        memoryMb: memory[i]?.rss ?? Number.NaN,
        ...medians(figures),
      }
    }),
  )
}
