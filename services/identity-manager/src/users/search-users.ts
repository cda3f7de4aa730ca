import { isUuid } from '@bursar/contracts/schema'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { and, asc, type Db, eq, folded, gte, isNull, lt, param, variants } from '@bursar/store'
import type { UserRow } from './users'
import { users } from './users.table'

/**
 * The users that match a search: by id, else by the beginning of an address or name. All by index:
 * `users_email`, `users_search_text`.
 */
export async function searchUsers(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  const isOwn = participantId !== null
  const values = { participantId, limit: mostHits }
  if (isUuid(q)) return toHits(await found({ by: 'id', isOwn })(db).execute({ ...values, from: q.toLowerCase() }))
  const text = folded(q)
  const range = { ...values, from: text, to: `${text}${lastCharacter}` }
  const byAddress = await found({ by: 'emailKey', isOwn })(db).execute(range)
  const byName = await found({ by: 'searchText', isOwn })(db).execute(range)
  return toHits([...new Map([...byAddress, ...byName].map((row) => [row.id, row])).values()])
}

/** Sorts after every other text. */
const lastCharacter = '\u{10FFFF}'

type By = 'id' | 'emailKey' | 'searchText'

const found = variants(
  ({ by, isOwn }: { by: By; isOwn: boolean }) =>
    (db) =>
      db
        .select()
        .from(users)
        .where(
          and(
            isNull(users.deletedAt),
            by === 'id' ? eq(users.id, param('from')) : and(gte(users[by], param('from')), lt(users[by], param('to'))),
            isOwn ? eq(users.participantId, param('participantId')) : undefined,
          ),
        )
        .orderBy(asc(users[by]))
        .limit(param('limit')),
)

const toHits = (rows: readonly UserRow[]): SearchHit[] =>
  rows.slice(0, mostHits).map(({ id, name, email, roles, status, createdAt }) => ({
    kind: 'user',
    id,
    title: name,
    detail: [email, ...roles].join(' · '),
    status,
    at: createdAt.toISOString(),
  }))
