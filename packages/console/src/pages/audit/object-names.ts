import { useRead } from '../../api/read'
import { quote, webhook } from '../../api/services'

/** One request for all of them; those beyond are shown by their ids. */
const most = 100
/** Names rarely change. */
const keptMs = 300_000

/** The addresses of webhook endpoints, by id. */
export const useEndpointUrls = () =>
  useRead(
    ['endpoint-urls'],
    (signal) => webhook.GET('/webhooks/endpoints', { params: { query: { limit: most } }, signal }),
    { select: (endpoints) => new Map(endpoints.map(({ id, url }) => [id, url])), staleTime: keptMs },
  )

/** The codes of assets that have rates, by id. */
export const useQuotedCodes = () =>
  useRead(['quoted-codes'], (signal) => quote.GET('/assets', { params: { query: { limit: most } }, signal }), {
    select: ({ data }) => new Map(data.map(({ id, code }) => [id, code])),
    staleTime: keptMs,
  })
