import { useRead } from '../../api/read'
import { main } from '../../api/services'
import { useCan } from '../../api/session'
import { Amount } from '../../ui/amount'
import { Card } from '../../ui/card'
import { Meter } from '../../ui/meter'
import { Loaded } from '../../ui/states'
import { Time } from '../../ui/time'
import { shareUsed } from '../bank/sums'

/** An institution's credit lines, by currency. */
export function CreditLines({ id }: { id: string }) {
  const isStaff = useCan('read')
  const lines = useRead(['credit-lines', id], (signal) =>
    main.GET('/participants/{id}/credit-line', { params: { path: { id } }, signal }),
  )
  return (
    <Card title="Credit line" aside={isStaff ? <a href="/console/bank?view=credit">Bank money</a> : null}>
      <Loaded of={lines} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">It has none: it can pay only money that has arrived.</p>
          ) : (
            <ul class="rows">
              {data.map(({ currency, limit, used, available, expiresAt }) => (
                <li key={currency} class="rows">
                  <div class="ends">
                    <b>
                      <Amount value={used} /> of <Amount value={limit} asset={currency} />
                    </b>
                    <span class="hint">
                      <Amount value={available} /> left
                    </span>
                  </div>
                  <Meter
                    value={shareUsed(used, limit) ?? 0}
                    tone={(shareUsed(used, limit) ?? 0) >= 90 ? 'bad' : 'good'}
                    words={`${used} of ${limit} ${currency} used`}
                  />
                  {expiresAt ? (
                    <p class="hint">
                      Until <Time at={expiresAt} isWhole />
                    </p>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
