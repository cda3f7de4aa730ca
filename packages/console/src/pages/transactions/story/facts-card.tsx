import { useOwner } from '../../../api/owners'
import { Card, Facts } from '../../../ui/card'
import { Id } from '../../../ui/id'
import { AccountName, CustomerName, InstitutionName } from '../../../ui/names'
import { Time } from '../../../ui/time'
import type { Transaction } from './story-query'

/** The facts of a transaction. */
export function FactsCard({ of }: { of: Transaction }) {
  const owner = useOwner('accounts', of.accountId)
  return (
    <Card title="Facts">
      <Facts
        of={[
          ['Id', <Id value={of.id} isWhole />],
          ['Account', <AccountName id={of.accountId} />],
          ['To account', of.toAccountId ? <AccountName id={of.toAccountId} /> : null],
          ['Customer', of.customerId ? <CustomerName id={of.customerId} accountId={of.accountId} /> : null],
          ['Institution', owner.data?.participantId ? <InstitutionName accountId={of.accountId} /> : null],
          ['Asset', `${of.asset.name} on ${of.network}`],
          ['Reference', of.reference],
          ['From', of.sourceAddress ? <Id value={of.sourceAddress} isWhole /> : null],
          ['To', of.destinationAddress ? <Id value={of.destinationAddress} isWhole /> : null],
          ['Returns', of.returns ? <Id value={of.returns} href={`/console/transactions/${of.returns}`} /> : null],
          [
            'Returned by',
            of.returnedBy ? <Id value={of.returnedBy} href={`/console/transactions/${of.returnedBy}`} /> : null,
          ],
          ['Hash', of.txHash ? <Id value={of.txHash} isWhole /> : null],
          ['Rejected', of.rejectionReason],
          ['Failed', of.failureReason],
          ['Created', <Time at={of.createdAt} zone />],
          ['Changed', <Time at={of.updatedAt} zone />],
        ]}
      />
    </Card>
  )
}
