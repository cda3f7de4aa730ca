import type { Load } from './drive'
import type { Running } from './processes'

/** What a subject is started with. */
export interface Place {
  redisUrl: string
  /** A new empty folder. */
  newFolder(): string
  /** A folder with the quote service's database of so many assets, made when it is first asked for. */
  seeded(assets: number): Promise<string>
  /** How Bun is called for a service: with the profiler, or not. */
  bun: readonly string[]
}

/** Something that answers requests: the service, or what it is compared with. */
export interface Subject {
  name: string
  /** Floors are left out of a profile. */
  floor?: boolean
  /** Why it cannot be measured here; null when it can. */
  skipped?(): string | null
  /** `before` are the scenario's subjects that already run, in order. */
  start(place: Place, before: readonly Running[]): Promise<Running>
  /** What is asked of this subject, where it is not the scenario's load. */
  load?: Load
}

/** What is wanted of a subject. */
export type Goal = { of: string; connections: number } & (
  | { share: number; against: string }
  | { p99BelowMs: number }
  /** How much later its p50 may be than the other's. */
  | { addedP50Ms: number; over: string }
  | { perSecond: number }
)

/** One kind of request under several numbers of connections. A new one is a plain object in scenarios/. */
export interface Scenario {
  /** For `--only`. */
  name: string
  /** As the table calls it. */
  title: string
  load: Load
  connections: readonly number[]
  subjects: readonly Subject[]
  goals: readonly Goal[]
}
