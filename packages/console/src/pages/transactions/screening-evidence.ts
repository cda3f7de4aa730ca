export interface ScreeningSource {
  provider: string
  isMatch: boolean
}

/** The evidence to show from a screening's data, whose form differs by provider. */
interface ScreeningEvidence {
  /** From 0 to 100; null if the provider gives none. */
  score: number | null
  reason: string | null
  provider: string | null
  sources: readonly ScreeningSource[]
  tags: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

/** Reads score, reason, provider, sources and tags from a screening's data, if they have the expected types. */
export function evidenceOf(data: Json | null | undefined): ScreeningEvidence {
  const own = data ?? {}
  const result = objectOf(own.result)
  const score = own.score ?? own.riskScore ?? own.risk_score ?? result.score
  return {
    score: typeof score === 'number' && score >= 0 && score <= 100 ? score : null,
    reason: textOf(own.reason) ?? textOf(own.message),
    provider: textOf(own.provider) ?? textOf(own.vendor),
    sources: [own.sources, result.sources].flatMap((list) => (Array.isArray(list) ? list.flatMap(sourceOf) : [])),
    tags: [own.tags, own.categories, own.category, own.flags].flatMap((value) => [value].flat().flatMap(wordOf)),
  }
}

/** Whether there is nothing to show. */
export const isBare = ({ score, reason, sources, tags }: ScreeningEvidence): boolean =>
  score === null && reason === null && sources.length === 0 && tags.length === 0

function sourceOf(value: unknown): ScreeningSource[] {
  const { provider, match } = objectOf(value)
  return typeof provider === 'string' ? [{ provider, isMatch: match === true }] : []
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const wordOf = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : [])

/** The colour of a score. */
export const toneOfScore = (score: number): 'bad' | 'wait' | 'good' =>
  score >= 80 ? 'bad' : score >= 40 ? 'wait' : 'good'
