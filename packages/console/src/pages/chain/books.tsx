import { reread } from '../../api/query'
import { core } from '../../api/services'
import { useCan } from '../../api/session'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
import { Card } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Id } from '../../ui/id'
import { Empty, Loaded, Note } from '../../ui/states'
import { Ago } from '../../ui/time'
import { type Report, useReport } from './chain-queries'
import { Holdings } from './holdings'
import { Shortfalls } from './shortfalls'

/** The ledger's debts against the chains' holdings; withdrawals whose state differs at the wallet service. */
export function Books() {
  const report = useReport()
  const isOperator = useCan('operate')
  return (
    <>
      {report.data ? <Shortfalls of={report.data} /> : null}
      <Holdings of={report}>
        {report.data?.at === null ? <span>not compared since the start</span> : null}
        {report.data?.at ? <Ago at={report.data.at} /> : null}
        {isOperator ? (
          <DialogButton isSmall icon="refresh" dialog={(close) => <Compare onClose={close} />}>
            Compare now
          </DialogButton>
        ) : null}
      </Holdings>
      <Loaded of={report}>{(data) => <Orders of={data} />}</Loaded>
    </>
  )
}

function Orders({ of: { orders, missing, differing } }: { of: Report }) {
  return (
    <Card title="Withdrawals against the wallet service">
      {missing > 0 ? (
        <Note tone="bad">
          {counted(missing, 'completed withdrawal')} {missing === 1 ? 'is' : 'are'} not confirmed by the wallet service.
          `bun run reconcile` lists them.
        </Note>
      ) : null}
      {differing === 0 ? (
        <Empty icon="check" title={missing > 0 ? 'No other difference' : 'Both sides agree'} />
      ) : (
        <ul class="rows">
          {orders.map(({ id, what }) => (
            <li key={id} class="bad">
              <Id value={id} href={`/console/transactions/${id}`} /> {what}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const Compare = ({ onClose }: { onClose(): void }) => (
  <Act
    title="Compare ledger and chains now?"
    confirm="Compare"
    act={({ headers }) => core.POST('/books/reconciliation/rounds', { headers })}
    done="Ledger and chains are compared"
    onDone={() => reread(['reconciliation'])}
    onClose={onClose}
  >
    <p>It reads the balances of the wallet service and the chains, and changes nothing. It may take a few seconds.</p>
  </Act>
)
