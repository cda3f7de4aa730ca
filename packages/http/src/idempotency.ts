import { and, type Db, eq, param, params, prepared, type Store, type Tx } from '@bursar/store'
import { idempotencyKeys } from '@bursar/store/schema'
import { status as withStatus } from 'elysia'
import { decodeJwt } from 'jose'
import { currentRequest } from './context'
import { failCommon } from './errors'
import { type Identity, identityHeader } from './identity'

/** What of Elysia's context a repeatable request needs. */
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
 * For `keep`: forever for the other services of the deployment, a day for anybody else. A service may repeat its call
 * after an outage of days, and what it began must not be made twice.
 */
export const foreverForServices =
  (identity: Identity) =>
  async (request: Request): Promise<Keep> =>
    (await identity.read(request))?.kind === 'service' ? 'forever' : 'day'

/**
 * Makes POST routes repeatable (decisions, Idempotency): with an `Idempotency-Key` or `X-Idempotency-Key` header the
 * answer is stored in the same commit as its effect and replayed, with `Idempotent-Replayed: true`, to a later request
 * with the same key. Another body under the same key is 422, a first request still under way 409. A request that fails
 * leaves no trace and may be repeated with its key.
 *
 *     const once = idempotent(store)
 *     .post('/', ({ request, set, body }) => once({ request, set }, 201, (store) => createAsset(store, body)))
 *
 * Take the context apart as here: of a handler that passes it on whole, Elysia must assume that it uses everything, and
 * reads headers, cookies and query for it, a tenth of a POST's time.
 *
 * `work` is given a store whose commit also stores the answer: what that commit returns must be the answer.
 * Keys are kept for a day; `keep: 'forever'` is for routes that move money. A function decides for each request.
 */
export function idempotent(store: Store, options: { keep?: Keep | ((request: Request) => Promise<Keep>) } = {}) {
  const underWay = new Set<string>()
  const { keep = 'day' } = options

  return async function once<const S extends number, T>(
    context: RepeatableContext,
    status: S,
    work: (store: Store) => Promise<T>,
  ) {
    const { request } = context
    const key = idempotencyKeyOf(request)
    if (key === null) return withStatus(status, await work(store))
    const record = newRecord(request, readKey(key), status, typeof keep === 'string' ? keep : await keep(request))
    const place = `${record.scope} ${record.key}`
    // Before the look-up: a first request that has stored its answer may still take it back.
    if (underWay.has(place)) throw failCommon('CONFLICT')
    const known = await find(store, record)
    if (known) {
      context.set.headers['idempotent-replayed'] = 'true'
      return withStatus(known.status as S, JSON.parse(known.body) as T)
    }
    if (underWay.has(place)) throw failCommon('CONFLICT')
    underWay.add(place)
    try {
      return withStatus(status, await runOnce(store, record, work))
    } finally {
      underWay.delete(place)
    }
  }
}

type Row = typeof idempotencyKeys.$inferInsert

/** Runs the work; should it fail after its commit (it took back what it did), its stored answer goes too. */
async function runOnce<T>(store: Store, record: Row, work: (store: Store) => Promise<T>): Promise<T> {
  let stored = false
  const remembering: Store = {
    read: store.read,
    snapshot: store.snapshot,
    commit: async (body) => {
      const result = await store.commit(async (tx) => {
        // The look-up before was outside the write: another copy of this request may have been faster.
        if (!stored && isLive(await recorded(tx, record), record)) throw failCommon('CONFLICT')
        const value = await body(tx)
        await keepAnswer(tx, { ...record, body: JSON.stringify(value) })
        return value
      })
      stored = true
      return result
    },
  }
  try {
    return await work(remembering)
  } catch (error) {
    if (stored) await store.commit((tx) => deleteKey(tx).execute({ scope: record.scope, key: record.key }))
    throw error
  }
}

async function keepAnswer(tx: Tx, record: Row): Promise<void> {
  // An expired key that the sweeper has not met yet, or a second commit of the same work.
  await deleteKey(tx).execute({ scope: record.scope, key: record.key })
  await insertKey(tx).execute(record)
}

async function find(store: Store, record: Row): Promise<Row | undefined> {
  const known = await recorded(store.read, record)
  if (!isLive(known, record)) return undefined
  if (known?.requestHash !== record.requestHash) throw failCommon('UNPROCESSABLE')
  return known
}

async function recorded(connection: Db | Tx, { scope, key }: Row): Promise<Row | undefined> {
  const [known] = await keyByName(connection).execute({ scope, key })
  return known
}

/** A key that has run out counts as new, also before the sweeper meets it. */
const isLive = (known: Row | undefined, { createdAt: now }: Row): boolean =>
  known !== undefined && (known.expiresAt == null || known.expiresAt > now)

const keyPattern = /^[\x21-\x7e]{1,255}$/

function readKey(key: string): string {
  if (keyPattern.test(key)) return key
  throw failCommon('INVALID_REQUEST', { message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' })
}

/** A key belongs to its caller, method and path: others may use the same word. */
function newRecord(request: Request, key: string, status: number, keep: Keep): Row {
  const url = new URL(request.url)
  const now = new Date()
  return {
    scope: `${digest(callerOf(request.headers))} ${request.method} ${withoutEndSlash(url.pathname)}`,
    key,
    requestHash: digest(`${url.search}\n${currentRequest()?.body ?? ''}`),
    status,
    body: '',
    headers: null,
    createdAt: now,
    expiresAt: keep === 'forever' ? null : new Date(now.getTime() + dayMs),
  }
}

/** The router lets one slash at the end be: with it, it is the same route and the same key. */
const withoutEndSlash = (path: string): string => path.replace(/\/$/, '')

/**
 * Whose key it is. A token is another one at every request, so what counts is whom it names; that it is genuine is for
 * those to check who let somebody in by it.
 */
function callerOf(headers: Headers): string {
  const token = headers.get(identityHeader)
  if (token === null) return headers.get('x-api-key') ?? ''
  try {
    const { kind, sub } = decodeJwt(token)
    return `${kind} ${sub}`
  } catch {
    return token
  }
}

const digest = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('base64url')

const byName = and(eq(idempotencyKeys.scope, param('scope')), eq(idempotencyKeys.key, param('key')))
const keyByName = prepared((db) => db.select().from(idempotencyKeys).where(byName))
const insertKey = prepared((db) => db.insert(idempotencyKeys).values(params(idempotencyKeys)))
const deleteKey = prepared((db) => db.delete(idempotencyKeys).where(byName))
