import {
  deleteBy,
  type Followed,
  params,
  prepared,
  rowBy,
  type Store,
  type Tx,
  UnknownOutcomeError,
} from '@bursar/store'
import { idempotencyKeys } from '@bursar/store/schema'
import { status as withStatus } from 'elysia'
import { failCommon } from '../errors/errors'
import type { Caller, Identity } from '../peers/identity'
import { currentRequest, currentTrace } from '../request/context'
import type { Seal } from '../secrets/sealed'
import { sha256 } from '../secrets/sha256'
import { followTrace, idsIn } from '../trace/followed'

/** The part of Elysia's context that a repeatable request needs. */
export interface RepeatableContext {
  request: Request
  set: { headers: Record<string, string | number> }
}

/** How long an answer is kept under its key. */
type Keep = 'day' | 'forever'

const dayMs = 24 * 60 * 60 * 1000

/** The key that the caller sent (`Idempotency-Key` or `X-Idempotency-Key`); null for none. */
export const idempotencyKeyOf = ({ headers }: Request): string | null =>
  headers.get('idempotency-key') ?? headers.get('x-idempotency-key')

/**
 * The commit key of a request that only adds new records and stores its answer: its idempotency key, else a unique one.
 * On a server it shares a transaction with others.
 */
export const ownKeyOf = (request: Request): string => idempotencyKeyOf(request) ?? Bun.randomUUIDv7()

/** Stores an answer in the commit of its effect, and returns it. The commit and the route return it in turn. */
export type Reply = <const S extends number, T>(
  tx: Tx,
  status: S,
  body: T,
  headers?: Record<string, string>,
) => Promise<ReturnType<typeof withStatus<S, T>>>

interface RepeatableOptions {
  /** How long the keys of callers from outside are kept: `forever` for routes that move money. */
  keep?: Keep
  /** Encrypts the kept answers, for routes that answer with secrets. */
  seal?: Seal
}

/**
 * Makes POST routes repeatable (decisions, Idempotency): with an `Idempotency-Key` or `X-Idempotency-Key` header the
 * answer is stored in the same commit as its effect and replayed, with `Idempotent-Replayed: true`, to a later request
 * with the same key. Another body under the same key is 422, a first request still under way 409 with `Retry-After`. A
 * request that fails leaves no trace and may be repeated with its key.
 *
 *     const once = idempotent(deps)
 *     .post('/', ({ request, set, body }) =>
 *       once({ request, set }, (reply) =>
 *         store.commit(async (tx) => reply(tx, 201, toAsset(await createAsset(tx, body)))),
 *       ),
 *     )
 *
 * Destructure the context as here: if a handler passes it on whole, Elysia must assume that it uses everything, and
 * parses headers, cookies and query for it, a tenth of a POST's time.
 *
 * A key belongs to its verified caller, the method and the path. Keys are kept for a day unless `keep` says otherwise,
 * and those of other services of the deployment forever: a service may repeat its call after an outage of days.
 */
export function idempotent(
  { store, identity, now, keptKeys }: IdempotencyDeps,
  { keep = 'day', seal }: RepeatableOptions = {},
) {
  const underWay = new Set<string>()

  return async function once<R>({ request, set }: RepeatableContext, work: (reply: Reply) => Promise<R>): Promise<R> {
    const key = idempotencyKeyOf(request)
    if (key === null) return await work(replyOnly(set))
    const caller = await identity.read(request)
    const kept = caller?.kind === 'service' ? 'forever' : keep
    const record = newRecord(request, caller, readKey(request, key), { keep: kept, now: now() })
    const place = `${record.scope} ${record.key}`
    // Before the look-up: a first request that has stored its answer may still remove it.
    if (underWay.has(place)) throw stillRunning()
    const known = await find(store, record)
    if (known) return replay(set, known, place, seal) as R
    if (underWay.has(place)) throw stillRunning()
    underWay.add(place)
    try {
      return await runOnce(store, set, record, { place, seal, keptKeys }, work)
    } finally {
      underWay.delete(place)
    }
  }
}

type Row = Omit<typeof idempotencyKeys.$inferInsert, 'seq'>
type Answered = RepeatableContext['set']

interface IdempotencyDeps {
  store: Store
  identity: Identity
  now: () => Date
  /** The follower of keys that are kept for ever. */
  keptKeys?: Pick<Followed<'keys'>, 'note'>
}

/** For a request without a key: nothing is stored. */
const replyOnly =
  (set: Answered): Reply =>
  async (_tx, status, body, headers) => {
    followMade(body)
    Object.assign(set.headers, headers)
    return withStatus(status, body)
  }

/** Later work on the created record belongs to the request's trace. */
function followMade(body: unknown): void {
  const trace = currentTrace()
  if (trace?.isSampled) for (const id of idsIn(body)) followTrace(id, trace)
}

/** Runs the work. If it fails after its commit (and undoes it), its stored answer is deleted too. */
async function runOnce<R>(
  store: Store,
  set: Answered,
  record: Row,
  { place, seal, keptKeys }: { place: string; seal: Seal | undefined; keptKeys: IdempotencyDeps['keptKeys'] },
  work: (reply: Reply) => Promise<R>,
): Promise<R> {
  let kept: number | null = null
  const reply: Reply = async (tx, status, body, headers) => {
    // The answer stored by an earlier run of the body was rolled back.
    kept = null
    // The earlier look-up was outside the commit: another copy of this request may have been faster.
    if (isLive(await recorded(tx, record), record)) throw stillRunning()
    const text = JSON.stringify(body ?? null)
    const answer = { ...record, status, headers: headers ?? null, body: seal ? seal.seal(text, place) : text }
    const seq = await keepAnswer(tx, answer)
    if (record.expiresAt === null) keptKeys?.note(tx, 'keys', [seq])
    kept = seq
    followMade(body)
    Object.assign(set.headers, headers)
    return withStatus(status, body)
  }
  try {
    return await work(reply)
  } catch (error) {
    // After an unknown outcome the answer stays: a repeat could act twice.
    if (kept === null || error instanceof UnknownOutcomeError) throw error
    // By number: if the body ran again, the key may belong to another instance's copy of the request.
    const own = { scope: record.scope, key: record.key, seq: kept }
    await store.commit((tx) => deleteOwnKey(tx).execute(own))
    throw error
  }
}

function replay(set: Answered, { status, body, headers }: Row, place: string, seal: Seal | undefined) {
  Object.assign(set.headers, headers, { 'idempotent-replayed': 'true' })
  return withStatus(status, JSON.parse(seal ? seal.open(body, place) : body))
}

/** Programs tell it by its `Retry-After` from the conflicts of records. */
const stillRunning = () => failCommon('CONFLICT', { headers: { 'retry-after': '1' } })

/** Stores an answer; returns the number of its row. */
async function keepAnswer(tx: Tx, record: Row): Promise<number> {
  // An expired key that is not deleted yet.
  await deleteKey(tx).execute({ scope: record.scope, key: record.key })
  return await insertKey(tx).execute(record)
}

async function find(store: Store, record: Row): Promise<Row | undefined> {
  const known = await recorded(store.read, record)
  if (!isLive(known, record)) return undefined
  if (known?.requestHash !== record.requestHash) throw failCommon('UNPROCESSABLE')
  return known
}

/** An expired key counts as new, also before the sweeper deletes it. */
const isLive = (known: Row | undefined, { createdAt: now }: Row): boolean =>
  known !== undefined && (known.expiresAt == null || known.expiresAt > now)

const keyPattern = /^[\x21-\x7e]{1,255}$/

/** Fails (400) for an invalid key, and for two keys: it would be unclear which one a repeat has. */
function readKey({ headers }: Request, key: string): string {
  if ((headers.get('x-idempotency-key') ?? key) !== key) {
    throw failCommon('INVALID_REQUEST', { message: 'Idempotency-Key and X-Idempotency-Key differ: send one of them' })
  }
  if (keyPattern.test(key)) return key
  throw failCommon('INVALID_REQUEST', { message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' })
}

/** A key belongs to its caller, method and path: two callers may use the same text. */
function newRecord(
  request: Request,
  caller: Caller | null,
  key: string,
  { keep, now }: { keep: Keep; now: Date },
): Row {
  const url = new URL(request.url)
  return {
    scope: `${digest(keyOwner(caller, request))} ${request.method} ${withoutEndSlash(url.pathname)}`,
    key,
    requestHash: digest(`${url.search}\n${currentRequest()?.body ?? ''}`),
    status: 0,
    body: '',
    headers: null,
    createdAt: now,
    expiresAt: keep === 'forever' ? null : new Date(now.getTime() + dayMs),
  }
}

/** The router ignores one trailing slash: route and key are the same with it. */
const withoutEndSlash = (path: string): string => path.replace(/\/$/, '')

/**
 * The owner of a request's key: the verified caller, with its kind and the participant that it acts for (an
 * administrator may act for several); without a caller, everybody with the same API key.
 */
export const keyOwner = (caller: Caller | null, { headers }: Request): string =>
  caller ? `${caller.kind} ${caller.subject} ${caller.participantId ?? ''}` : `anyone ${headers.get('x-api-key') ?? ''}`

const digest = (text: string): string => sha256(text, 'base64url')

const recorded = rowBy(idempotencyKeys, ['scope', 'key'])
const insertKey = prepared((db) => db.insert(idempotencyKeys).values(params(idempotencyKeys)), 'key')
const deleteKey = deleteBy(idempotencyKeys, ['scope', 'key'])
const deleteOwnKey = deleteBy(idempotencyKeys, ['scope', 'key', 'seq'])
