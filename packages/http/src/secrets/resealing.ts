import type { Log } from '@bursar/contracts/log'
import type { KeyState } from '@bursar/contracts/operations'
import {
  every,
  type OpenStore,
  type Rewriting,
  type RewrittenColumns,
  type RowKey,
  rewriteColumn,
  type Worker,
} from '@bursar/store'
import { idempotencyKeys } from '@bursar/store/schema'
import { dropEndedKeys } from './key-file'
import type { KeyRing } from './key-ring'
import { isSealed, type Seal, SealBrokenError } from './sealed'

/** A place where a service stores sealed values. */
export interface SealedPlace {
  readonly seal: Seal
  readonly column: Rewriting
  /** The value sealed by the newest key; null if it already is. Throws SealBrokenError. */
  renew(value: unknown, owner: string): unknown
}

/** A column of texts sealed for their owner: the value of the owner column, or what `aadOf` derives from it. */
export const sealedColumn = <T extends Parameters<typeof rewriteColumn>[0]>(
  seal: Seal,
  table: T,
  { aadOf = (owner) => owner, ...names }: RewrittenColumns<T> & { aadOf?: (owner: string) => string },
): SealedPlace => ({
  seal,
  column: rewriteColumn(table, names),
  renew: (text, owner) => (typeof text === 'string' && isSealed(text) ? seal.renew(text, aadOf(owner)) : null),
})

/** The stored answers of routes that answer with secrets (idempotency.ts). */
export const sealedAnswers = (seal: Seal): SealedPlace =>
  sealedColumn(seal, idempotencyKeys, { column: 'body', owner: ['scope', 'key'], key: ['seq'] })

/** After a rotation, seals again what earlier keys have sealed. */
export interface Resealing extends Worker {
  /** The service's rings, each with its keys. */
  states(): KeyState[]
  /** Says which key is missing, for a person; null for none. */
  problem(): string | null
  /** Runs what is due now. */
  runNow(): Promise<void>
}

const lookMs = 1000
/** A request that sealed with the earlier key may commit a little later. */
const usualAgainMs = 60_000
/** Rows per commit: few, so that other commits never wait long. */
const chunk = 200

interface Progress {
  ring: KeyRing
  places: SealedPlace[]
  /** The key that had sealed everything at the end of a walk, and when that was; null before the first. */
  walked: { id: string; atMs: number; isSure: boolean } | null
  /** The key in use when it was last looked whether the oldest texts open; null before. */
  looked: string | null
  /** Whether some were found that no key opens. */
  isBroken: boolean
}

/**
 * Watches the service's rings. After a rotation it walks through what is sealed by them, at once and a minute later; what
 * cannot be opened is left as it is, and logged. A key of the service's own file is removed from it once its time is over and a walk
 * has found nothing that it sealed.
 */
export function startResealing(
  rings: readonly KeyRing[],
  places: readonly SealedPlace[],
  {
    store,
    log,
    now,
    againMs = usualAgainMs,
  }: { store: OpenStore; log: Log; now: () => Date; againMs?: number | undefined },
): Resealing {
  const all: Progress[] = [...new Set([...rings, ...places.map(({ seal }) => seal.ring)])].map((ring) => ({
    ring,
    places: places.filter(({ seal }) => seal.ring === ring),
    walked: null,
    looked: null,
    isBroken: false,
  }))
  /** The texts of each place that no key opened at the last walk: their number is logged when it is another. */
  const broken = new Map<SealedPlace, number>()

  async function walk(progress: Progress): Promise<void> {
    const id = newestOf(progress.ring)
    let changed = 0
    for (const place of progress.places) {
      const found = await resealPlace(store, place)
      changed += found.changed
      if (found.broken > 0 && found.broken !== broken.get(place))
        log.error({ place: place.column.name, broken: found.broken }, 'What is sealed here cannot be opened by any key')
      broken.set(place, found.broken)
    }
    progress.isBroken = progress.places.some((place) => (broken.get(place) ?? 0) > 0)
    const isSame = progress.walked?.id === id
    progress.walked = { id, atMs: performance.now(), isSure: isSame && !progress.isBroken }
    if (changed > 0) log.info({ ring: progress.ring.name, key: id, texts: changed }, 'Sealed again by the newest key')
  }

  /** A start without the file of a key makes another, by which nothing opens that was sealed before. */
  async function look(progress: Progress): Promise<void> {
    const id = newestOf(progress.ring)
    if (progress.looked === id) return
    const found = await Promise.all(progress.places.map((place) => resealPlace(store, place, 'oldest')))
    progress.looked = id
    progress.isBroken = found.some(({ broken }) => broken > 0)
    if (progress.isBroken) log.error({}, lacksKey(progress.ring))
  }

  async function follow(progress: Progress): Promise<void> {
    const { ring, places, walked } = progress
    const keys = ring.keys()
    if (keys.length < 2) return await look(progress)
    const isNew = walked?.id !== newestOf(ring)
    if (isNew || (!walked.isSure && performance.now() - walked.atMs >= againMs)) await walk(progress)
    const hasEnded = keys.some(({ until }) => until !== null && until <= now())
    // Keys of the deployment's secret expire at their time, and are in one file for all services.
    if (ring.folder === null || places.length === 0 || !hasEnded || !progress.walked?.isSure) return
    await walk(progress)
    if (progress.walked.isSure) dropEndedKeys(ring.folder, ring.name, now())
  }

  const loop = every(
    lookMs,
    async () => {
      for (const progress of all) await follow(progress)
    },
    { log, name: 'Sealing again by the newest keys', firstMs: 0 },
  )
  return {
    ...loop,
    problem: () => {
      const lacking = all.filter(({ isBroken }) => isBroken).map(({ ring }) => lacksKey(ring))
      return lacking.length > 0 ? lacking.join('; ') : null
    },
    states: () =>
      all.map(({ ring, places, walked }) => ({
        name: ring.name,
        keys: ring.keys().map(({ id, until }) => ({ id, until: until?.toISOString() ?? null })),
        resealed: ring.keys().length < 2 || places.length === 0 || walked?.id === newestOf(ring),
      })),
  }
}

const newestOf = (ring: KeyRing): string => ring.keys()[0]?.id ?? ''

const lacksKey = (ring: KeyRing): string =>
  `${ring.name} lacks the key by which older records are sealed: add that of a backup as a further line`

/**
 * Walks through a place, a few rows per commit. Returns how many texts it sealed again, and how many cannot be opened.
 */
export async function resealPlace(
  store: Pick<OpenStore, 'commit'>,
  { column, renew }: SealedPlace,
  rows: 'all' | 'oldest' = 'all',
): Promise<{ changed: number; broken: number }> {
  let [changed, broken] = [0, 0]
  let after: RowKey | null = null
  do {
    const place = { after, limit: chunk }
    const found = await store.commit(async (tx) => {
      let failed = 0
      const done = await column.rewrite(tx, place, (value, owner) => {
        try {
          return renew(value, owner)
        } catch (error) {
          if (!(error instanceof SealBrokenError)) throw error
          failed += 1
          return null
        }
      })
      return { ...done, failed }
    })
    changed += found.changed
    broken += found.failed
    after = found.after
  } while (after !== null && rows === 'all')
  return { changed, broken }
}
