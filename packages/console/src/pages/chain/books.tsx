import { useAssets } from '../../api/names'
import { reread } from '../../api/query'
import { core } from '../../api/services'
import { useCan } from '../../api/session'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
import { Amount } from '../../ui/amount'
import { Card } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Id } from '../../ui/id'
import { AccountName } from '../../ui/names'
import { Empty, Loaded, Note } from '../../ui/states'
import { Age, Ago } from '../../ui/time'
import { type Report, useReport } from './chain-queries'
import { Holdings } from './holdings'

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

/** Open shortfalls: whose withdrawals wait, why, since when, and how they end; and portfolios that may be next. */
function Shortfalls({ of: report }: { of: Report }) {
  const { shortfalls } = report
  // Portfolios that were short twice are among the shortfalls.
  const once = report.portfolios.filter(({ isShortTwice }) => !isShortTwice)
  if (shortfalls.length === 0 && once.length === 0) return null
  return (
    <Card title="Coins are missing" aside={`${counted(shortfalls.length, 'shortfall')} open`}>
      {shortfalls.length > 0 ? (
        <ul class="rows" aria-label="Withdrawals that wait">
          {shortfalls.map((one) => (
            <li key={`${one.accountId} ${one.assetId} ${one.reason}`}>
              <Shortfall of={one} in={report} />
            </li>
          ))}
        </ul>
      ) : null}
      {once.length > 0 ? (
        <ul class="rows" aria-label="Portfolios that hold too little">
          {once.map((portfolio) => (
            <li key={`${portfolio.accountId} ${portfolio.network} ${portfolio.contractAddress}`}>
              <Portfolio of={portfolio} />
            </li>
          ))}
        </ul>
      ) : null}
      <p class="hint">
        <code>bun run reconcile</code> shows the same on the command line, each asset with its parts.
      </p>
    </Card>
  )
}

function Shortfall({ of, in: report }: { of: Report['shortfalls'][number]; in: Report }) {
  const { accountId, assetId, reason, depositId, since } = of
  const code = useAssets().data?.get(assetId)?.code
  return (
    <>
      <strong>
        {accountId === null ? 'All accounts' : <AccountName id={accountId} />}
        {code ? `, ${code}` : ''}:
      </strong>{' '}
      withdrawals wait since <Age since={since} />. <span class="bad">{reason}.</span>{' '}
      {depositId ? <a href={`/console/transactions/${depositId}`}>Open the deposit</a> : null}{' '}
      <span class="hint">{endOf(of, report)}</span>
    </>
  )
}

/** How a shortfall ends. */
function endOf({ accountId, depositId }: Report['shortfalls'][number], { portfolios }: Report): string {
  if (depositId) {
    return 'They continue once the chain has it again. If it never does: pay in what is missing, and cover each deposit on its page.'
  }
  if (accountId === null) {
    return 'Pay what is missing to the deployment’s own address on that network: they continue after the next comparison.'
  }
  return portfolios.some((portfolio) => portfolio.accountId === accountId)
    ? 'Pay what is missing to the portfolio’s own address: they continue after the next comparison.'
    : 'They continue once the chain holds it again and covers what waits to be booked. The account’s page has its movements, where what its chain has taken back for good can be covered.'
}

const Portfolio = ({ of }: { of: Report['portfolios'][number] }) => {
  const { accountId, network, assetCode, owed, held } = of
  return (
    <>
      <strong>
        <AccountName id={accountId} />
      </strong>
      : its addresses on {network} hold <Amount value={held ?? '0'} asset={assetCode} />, the books have{' '}
      <Amount value={owed} asset={assetCode} />.{' '}
      <span class="hint">If a comparison ten minutes later finds the same, its withdrawals wait.</span>
    </>
  )
}
