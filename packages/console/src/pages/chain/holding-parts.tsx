import { Amount } from '../../ui/amount'
import { Card, Facts } from '../../ui/card'
import { Note } from '../../ui/states'
import type { Holding } from './chain-queries'
import { wayOutOf } from './way-out'

/** The parts of one asset's owed amount, the known causes of a difference, and what to do about them. */
export function HoldingParts({ of }: { of: Holding }) {
  const { assetCode, network, held, isShort, isSimulated, topUp, portfolios, causes } = of
  const amount = (value: string) => <Amount value={value} asset={assetCode} />
  const unlessNone = (value: string) => (value === '0' ? null : amount(value))
  return (
    <Card title={`${assetCode} on ${network}`}>
      <Facts
        of={[
          ['Customers', amount(of.customers)],
          ['+ in suspense', amount(of.suspense)],
          ['− under way', amount(of.underWay)],
          ['= owed', <b>{amount(of.owed)}</b>],
          ['Held', held === null ? <span class="none">not known</span> : amount(held)],
          ['The platform’s own', of.difference === null || isShort ? null : amount(of.difference)],
          ['Top up', isShort ? <b class="bad">{amount(topUp)}</b> : null],
          ['Network fees paid', unlessNone(of.feesPaid)],
          ['Portfolios by the books', unlessNone(portfolios.owed)],
          ['At their addresses', portfolios.owed === '0' ? unlessNone(portfolios.held) : amount(portfolios.held)],
        ]}
      />
      {held === null ? (
        <Note>
          The blockchain service does not follow this network, so nothing can be compared. Its settings name the
          networks that it follows.
        </Note>
      ) : null}
      {isShort ? (
        <Note tone="bad">
          {isSimulated ? 'Pay it in with “Sandbox pay-in”' : 'Pay it'} to the deployment’s own address, which “Fee
          payers” names: what is paid to an account’s address is owed to that account.
        </Note>
      ) : null}
      {causes.length > 0 ? (
        <>
          <h3>Known causes of the difference</h3>
          <ul class="rows">
            {causes.map((cause) => (
              <li key={cause}>
                {cause}. <span class="hint">{wayOutOf(cause)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </Card>
  )
}
