import { useState } from 'preact/hooks'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { payments } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { groupDigits } from '../../format/amount'
import { toWords } from '../../format/words'
import { Act } from '../../ui/act'
import { actorIn, HistoryItem } from '../../ui/actor'
import { Amount } from '../../ui/amount'
import { Card, Facts } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Field } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { useKeys } from '../../ui/keys'
import type { RouteParams } from '../../ui/load-page'
import { Custodian } from '../../ui/organisations'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Time } from '../../ui/time'
import { useBankAccounts } from '../participants/institution-query'
import { moneyText } from './money-text'
import { MoveButtons } from './move-buttons'
import { moveWords, needsReason } from './moves'
import { movesOf, ownMovesOf, typeWords } from './moves-of'
import { movePayment, type Payment, type PaymentDetail, type PaymentStatus } from './payment'
import { PaymentStatusBadge } from './payment-columns'

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

type Line = PaymentDetail['history'][number]

/** Every step of a payment, the newest first: when, who, from where to where, and why. */
const PaymentHistory = ({ of }: { of: readonly Line[] }) => (
  <ol class="history">
    {of.toReversed().map((line, i) => (
      <HistoryItem key={of.length - i} what={<What of={line} />} at={line.at} by={actorIn(line.by)}>
        {line.comment ? <blockquote>{line.comment}</blockquote> : null}
        {line.changes.map(({ field, before, after }) => (
          <p key={field} class="sub">
            {toWords(field)}: {before ?? 'none'} <Icon name="moving" size={12} /> {after ?? 'none'}
          </p>
        ))}
      </HistoryItem>
    ))}
  </ol>
)

function What({ of: { from, to, changes } }: { of: Line }) {
  if (from === null) return <strong>Ordered</strong>
  if (from === to && changes.length > 0) return <strong>Details changed</strong>
  return (
    <span class="row">
      <PaymentStatusBadge status={from} /> <Icon name="moving" size={12} /> <PaymentStatusBadge status={to} />
    </span>
  )
}

interface MovePaymentProps {
  of: Payment
  to: PaymentStatus
  onClose(): void
  onDone(): void
}

/** The dialog of one decision about one payment. */
function MovePayment({ of, to, onClose, onDone }: MovePaymentProps) {
  const { verb, effect, done } = moveWords[to]
  const isRequired = needsReason(to)
  const takesHash = (to === 'PROCESSING' || to === 'COMPLETED') && of.transactionHash === null
  return (
    <Act
      title={`${verb}?`}
      confirm={verb}
      look={isRequired ? 'danger' : 'main'}
      note={{
        label: 'Reason',
        hint: 'Kept in the history of the payment, with your name.',
        ...(isRequired ? { min: 3 } : {}),
      }}
      act={({ note, headers, text }) =>
        movePayment(of, {
          to,
          comment: note,
          headers,
          transactionHash: text('transactionHash') || undefined,
        })
      }
      done={`The ${typeWords[of.type].toLowerCase()} is ${done}`}
      onDone={onDone}
      onClose={onClose}
    >
      <p class="act-big">
        <Amount value={of.amount} asset={of.currency} />
      </p>
      <p>
        {typeWords[of.type]} {of.reference}, from {of.from?.participantName ?? 'outside'} to{' '}
        {of.to?.participantName ?? of.destinationAccount?.bankName ?? 'outside'}. {effect}
      </p>
      {takesHash ? (
        <Field
          label="The bank’s reference or hash (optional)"
          name="transactionHash"
          maxLength={128}
          pattern="[!-~]+"
          title="Write it without spaces."
          spellcheck={false}
        />
      ) : null}
    </Act>
  )
}

/** Requests for information about a payment, newest first, and the button for a new one. */
function AdditionalRequests({ of }: { of: PaymentDetail }) {
  const isOperator = useCan('operate')
  return (
    <Card
      title="Requests for information"
      aside={
        isOperator ? (
          <DialogButton isSmall icon="plus" dialog={(close) => <Ask id={of.id} onClose={close} />}>
            Ask
          </DialogButton>
        ) : null
      }
    >
      {of.additionalRequests.length === 0 ? (
        <p class="hint">Nothing was asked.</p>
      ) : (
        <ol class="history">
          {of.additionalRequests.toReversed().map(({ id, type, message, by, createdAt }) => (
            <HistoryItem key={id} what={<Badge>{type}</Badge>} at={createdAt} by={actorIn(by)}>
              <p>{message}</p>
            </HistoryItem>
          ))}
        </ol>
      )}
    </Card>
  )
}

const Ask = ({ id, onClose }: { id: string; onClose(): void }) => (
  <Act
    title="Ask for more information?"
    confirm="Ask"
    note={{ label: 'Question', hint: 'Kept with the payment, with your name.', min: 3 }}
    act={({ note, headers, text }) => {
      const body = { message: note, type: text('type') || undefined }
      const params = { path: { transactionId: id } }
      return payments.POST('/transactions/additional-request/{transactionId}', { params, headers, body })
    }}
    done="The request is recorded"
    onDone={() => reread(['payments'])}
    onClose={onClose}
  >
    <Field label="Kind" name="type" maxLength={64} defaultValue="RFI" required />
  </Act>
)
