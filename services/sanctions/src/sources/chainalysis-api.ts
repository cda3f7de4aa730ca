import { nullable, type Static, t } from '@bursar/contracts/schema'
import { fieldProblems } from '@bursar/http'
import type { Outbound } from '@bursar/http/outbound'
import type { Config } from '../config'
import { askOutside, type Source, unavailable } from './source'

const provider = 'chainalysis'

const Answer = t.Object({
  identifications: t.Array(
    t.Object({
      category: t.String(),
      name: nullable(t.String()),
      description: t.Optional(nullable(t.String())),
      url: t.Optional(nullable(t.String())),
    }),
    { maxItems: 1000 },
  ),
})

/** Chainalysis' public API: the identifications of an address; none means that it is not sanctioned. */
export const chainalysisApi = (
  outbound: Outbound,
  { url, apiKey }: NonNullable<Config['chainalysis']>,
  timeoutMs: number,
): Source => ({
  provider,
  isHere: false,
  covers: () => true,
  async ask(address) {
    const answer = await askOutside(outbound, provider, `${url}/api/v1/address/${encodeURIComponent(address)}`, {
      headers: { 'x-api-key': apiKey, accept: 'application/json' },
      timeoutMs,
    })
    const [problem] = fieldProblems(Answer, answer)
    if (problem) throw unavailable(provider, `its answer has an unknown form: ${problem.message}`)
    const { identifications } = answer as Static<typeof Answer>
    return {
      match: identifications.length > 0,
      details: {
        identifications: identifications.map(({ category, name, description, url }) => ({
          category,
          name,
          description: description?.slice(0, 2000) ?? null,
          url: url ?? null,
        })),
      },
    }
  },
})
