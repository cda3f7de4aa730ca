import { useState } from 'preact/hooks'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { payments } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { groupDigits } from '../../format/amount'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { useKeys } from '../../ui/keys'
import type { RouteParams } from '../../ui/load-page'
import { Custodian } from '../../ui/organisations'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { Time } from '../../ui/time'
import { useBankAccounts } from '../participants/institution-query'
import { AdditionalRequests } from './additional-requests'
import { moneyText } from './money-text'
import { MoveButtons } from './move-buttons'
import { MovePayment } from './move-payment'
import { movesOf, ownMovesOf, typeWords } from './moves-of'
import type { Payment, PaymentDetail, PaymentStatus } from './payment'
import { PaymentStatusBadge } from './payment-columns'
import { PaymentHistory } from './payment-history'

/** One payment: its facts, its history and its possible moves. */
export default function OnePayment({ params }: RouteParams) {
  const id = params.id ?? ''
  const payment = useRead(
    ['payments', 'one', id],
    (signal) => payments.GET('/transactions/{transactionId}', { params: { path: { transactionId: id } }, signal }),
    { select: ({ data }) => data, refetchInterval: 15_000 },
  )
  const [chosen, setChosen] = useState<PaymentStatus | null>(null)
  const { data } = payment
  const isStaff = useCan('read')
  const isOperator = useCan('operate')
  const own = useSession().user.participantId ?? ''
  const moves = !data ? [] : isOperator ? movesOf(data) : ownMovesOf(data, own)
  const choose = (to: PaymentStatus) => (moves.includes(to) ? setChosen(to) : undefined)
  useKeys(
    moves.length === 0 || !isOperator
      ? []
      : [
          { key: 'a', does: 'Approve', run: () => choose('APPROVED') },
          { key: 'x', does: 'Reject', run: () => choose('REJECTED') },
        ],
  )
  return (
    <Page
      title={
        data
          ? `${typeWords[data.type]} of ${groupDigits(moneyText(data.amount, data.currency))} ${data.currency}`
          : 'Payment'
      }
      badge={data ? <PaymentStatusBadge status={data.status} /> : undefined}
      up={isStaff ? { href: '/console/bank', words: 'Bank money' } : { href: '/console', words: 'Home' }}
      actions={<MoveButtons moves={moves} choose={setChosen} />}
    >
      <Loaded of={payment} lines={8}>
        {(detail) => <Story of={detail} />}
      </Loaded>
      {data && chosen ? (
        <MovePayment of={data} to={chosen} onClose={() => setChosen(null)} onDone={() => reread(['payments'])} />
      ) : null}
    </Page>
  )
}

const Story = ({ of }: { of: PaymentDetail }) => (
  <>
    <div class="columns is-halves">
      <Card title="Payment">
        <PaymentFacts of={of} />
      </Card>
      <Card title="History">
        <PaymentHistory of={of.history} />
      </Card>
    </div>
    <AdditionalRequests of={of} />
    <JsonView of={of} />
  </>
)

const PaymentFacts = ({ of }: { of: Payment }) => (
  <Facts
    of={[
      ['From', <PartyFacts of={of.from} />],
      ['To', <PartyFacts of={of.to} />],
      ['Reference', <Id value={of.reference} isWhole />],
      ['Id', <Id value={of.id} isWhole />],
      ['Bank’s hash', of.transactionHash ? <Id value={of.transactionHash} isWhole /> : null],
      ['Description', of.description],
      ['Wire to', of.wireInstructions ? <Account of={of.wireInstructions} /> : null],
      ['Pay to', of.destinationAccount ? <Account of={of.destinationAccount} /> : null],
      ['Created', <Time at={of.createdAt} zone />],
      ['Changed', <Time at={of.updatedAt} zone />],
    ]}
  />
)

function PartyFacts({ of }: { of: Payment['from'] }) {
  const isStaff = useCan('read')
  const { user } = useSession()
  const mayOpen = isStaff || user.participantId === of?.participantId
  if (!of) return <span class="none">outside the platform</span>
  return (
    <>
      {mayOpen ? <a href={`/console/participants/${of.participantId}`}>{of.participantName}</a> : of.participantName}
      <span class="sub">
        at <Custodian id={of.custodianBankId} />, account{' '}
        <AccountNumber id={of.participantBankId} of={mayOpen ? of.participantId : null} />
      </span>
    </>
  )
}

const Account = ({ of }: { of: { bankName: string; accountNumber: string; routingNumber: string } }) => (
  <>
    {of.bankName}
    <span class="sub">
      account <code>{of.accountNumber}</code>, routing <code>{of.routingNumber}</code>
    </span>
  </>
)

/** The number of a bank account; its id where the institution's accounts are not to be seen. `of`: the institution. */
function AccountNumber({ id, of }: { id: string; of: string | null }) {
  const { data } = useBankAccounts(of)
  const number = data?.find((account) => account.id === id)?.accountNumber
  return <Id key={number ?? id} value={number ?? id} isWhole={number !== undefined} />
}
