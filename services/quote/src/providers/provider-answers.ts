import { asc, type Db, isNull, prepared } from '@bursar/store'
import { providers } from '../tables/providers.table'
import type { ProviderAnswer, ProviderAnswers } from './provider-answers.model'
import type { Quote } from './quote-code'

/** Each provider's last answer, by slug. In memory: a restart clears it. */
export interface AnswerLog {
  readonly since: Date
  /** Records the answers and failures of one round. */
  note(assetCode: string, quote: Pick<Quote, 'providers' | 'failures' | 'leftOut'>, at: Date): void
  of(slug: string): Noted
}

type Noted = Pick<ProviderAnswer, 'lastAnswer' | 'lastFailure' | 'failuresInARow'>

/** Bounds the memory when slugs are deleted and created again and again. */
const mostSlugs = 1000

export function createAnswerLog(since: Date): AnswerLog {
  const known = new Map<string, Noted>()
  const nothing: Noted = { lastAnswer: null, lastFailure: null, failuresInARow: 0 }

  function note(slug: string, change: Partial<Noted>) {
    if (known.size >= mostSlugs && !known.has(slug)) known.clear()
    known.set(slug, { ...(known.get(slug) ?? nothing), ...change })
  }

  return {
    since,
    of: (slug) => known.get(slug) ?? nothing,
    note(assetCode, { providers: answers, failures, leftOut }, time) {
      const at = time.toISOString()
      for (const slug of Object.keys(answers)) note(slug, { failuresInARow: 0 })
      for (const [slug, rate] of Object.entries({ ...answers, ...leftOut })) {
        note(slug, { lastAnswer: { assetCode, rate, at } })
      }
      for (const [slug, reason] of Object.entries(failures)) {
        const failuresInARow = (known.get(slug)?.failuresInARow ?? 0) + 1
        note(slug, { lastFailure: { assetCode, reason, at }, failuresInARow })
      }
    },
  }
}

/** All providers with their last answers. */
export async function providerAnswers(db: Db, log: AnswerLog): Promise<ProviderAnswers> {
  const rows = await liveProviders(db).execute()
  const data = rows.map(({ id, name, slug }) => ({ providerId: id, name, slug, ...log.of(slug) }))
  return { since: log.since.toISOString(), data }
}

const liveProviders = prepared((db) =>
  db
    .select({ id: providers.id, name: providers.name, slug: providers.slug })
    .from(providers)
    .where(isNull(providers.deletedAt))
    .orderBy(asc(providers.createdAt), asc(providers.id)),
)
