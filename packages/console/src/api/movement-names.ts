import { gathered } from './gathered'
import { keptMs, useQuery } from './query'
import { core, dataOf, payments } from './services'

/** What a transaction or a bank payment is called, for staff. */
interface MovementName {
  type: string
  amount: string
  asset: string
}

const asked = {
  transaction: gathered<MovementName>(async (ids) => {
    const found = await dataOf(core.GET('/transactions/several', { params: { query: { ids } } }))
    return new Map(found.map(({ id, type, amount, asset }) => [id, { type, amount, asset: asset.code }]))
  }),
  payment: gathered<MovementName>(async (ids) => {
    const found = await dataOf(payments.GET('/transactions/several', { params: { query: { ids } } }))
    return new Map(found.map(({ id, type, amount, currency }) => [id, { type, amount, asset: currency }]))
  }),
}

/** What is moved; null if there is no such movement. The names on a page share one request. */
export const useMovementName = (kind: keyof typeof asked, id: string) =>
  useQuery({
    queryKey: ['movement-name', kind, id],
    queryFn: () => asked[kind](id),
    staleTime: keptMs,
    retry: false,
  })
