import { useQuery } from '../../api/query'
import { core, dataOf } from '../../api/services'
import { Usd } from '../../ui/amount'
import { Card } from '../../ui/card'
import { HeldLine } from '../../ui/held-line'
import { Loaded } from '../../ui/states'
import { useParticipant } from '../participants/institution-query'
import { heldTogether } from './held-together'
import { accountsOf } from './own-balances'

/** The most accounts of one request. */
const mostAtOnce = 50
const days = 30

/** What an institution's customers held at the end of each of the last days. */
export function HeldHistory({ id }: { id: string }) {
  const { data } = useParticipant(id)
  const accounts = data ? accountsOf(data) : []
  const history = useQuery({
    queryKey: ['balances', 'history', id, accounts],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(accounts.length / mostAtOnce) }, (_, i) =>
        accounts.slice(i * mostAtOnce, (i + 1) * mostAtOnce),
      )
      const read = (accountIds: string[]) =>
        dataOf(core.GET('/balances/accounts/history', { params: { query: { accountIds, days } }, signal }))
      return heldTogether(await Promise.all(parts.map(read)))
    },
    enabled: accounts.length > 0,
    refetchInterval: 300_000,
  })
  if (accounts.length === 0) return null
  return (
    <Card title="Held, end of day" aside="USD, estimated at today’s rates">
      <Loaded of={history} lines={4}>
        {({ series, unpriced }) => (
          <>
            <p class="figure-value">
              <Usd value={series.at(-1)?.usd} />
            </p>
            <HeldLine of={series} />
            {unpriced.length > 0 ? <p class="hint">Without {unpriced.join(', ')}, which no provider prices.</p> : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}
