import { useState } from 'preact/hooks'
import { useAssets } from '../../api/names'
import { webhook } from '../../api/services'
import { useCan } from '../../api/session'
import { groupDigits } from '../../format/amount'
import { formatDuration } from '../../format/time'
import { toWords } from '../../format/words'
import { Act } from '../../ui/act'
import { Button } from '../../ui/button'
import { Card, Facts } from '../../ui/card'
import { Copy, Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Kbd } from '../../ui/kbd'
import { useKeys } from '../../ui/keys'
import { Organisation } from '../../ui/organisations'
import { Page } from '../../ui/page'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { In, Time } from '../../ui/time'
import { moneyText } from '../bank/money-text'
import { requestText } from './chosen-events'
import { DeliveryStatus } from './delivery-table'
import { useMaySend } from './may-act'
import { paymentIn, type ToldPayment } from './payment-in'
import { type Attempt, type DeliveryDetails, readAgain, useAttempts, useDelivery } from './webhook-queries'

/** One delivery: its request, its attempts, and a button to send it again. */
export function DeliveryView({ id }: { id: string }) {
  const read = useDelivery(id)
  const [isReplaying, setReplaying] = useState(false)
  const maySend = useMaySend()
  const replay = () => (maySend && read.data ? setReplaying(true) : undefined)
  useKeys([{ key: 'r', does: 'Send again', group: 'This page', run: replay }])
  return (
    <Page
      title={read.data ? `Delivery of ${read.data.eventType}` : 'Delivery'}
      up={{ href: '/console/webhooks?tab=deliveries', words: 'Webhooks' }}
      badge={read.data ? <DeliveryStatus value={read.data.status} /> : null}
      actions={
        maySend && read.data ? (
          <Button look="main" icon="refresh" onClick={replay}>
            Send again <Kbd keys="r" />
          </Button>
        ) : null
      }
    >
      <Loaded of={read} lines={8}>
        {(delivery) => (
          <div class="columns is-side">
            <div class="stack">
              <Attempts deliveryId={id} body={delivery.body} isOver={delivery.status !== 'pending_retry'} />
              <Sent delivery={delivery} />
            </div>
            <DeliveryFacts delivery={delivery} />
          </div>
        )}
      </Loaded>
      {isReplaying && read.data ? <Replay delivery={read.data} onClose={() => setReplaying(false)} /> : null}
    </Page>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetails }) {
  const { endpointId, requestId, participantId, webhookUrl } = delivery
  const payment = paymentIn(parsed(delivery.body))
  const isStaff = useCan('read')
  return (
    <Card title="Delivery">
      <Facts
        of={[
          ['Created', <Time at={delivery.createdAt} zone />],
          ['Attempts', `${delivery.attemptCount} of ${delivery.maxRetries + 1}`],
          ['Next attempt', delivery.nextAttemptAt ? <In at={delivery.nextAttemptAt} /> : null],
          ['Delivered', delivery.successAt ? <Time at={delivery.successAt} /> : null],
          ['Last error', delivery.lastError],
          ['Endpoint', <EndpointLink id={endpointId} url={webhookUrl} />],
          ['Institution', participantId && isStaff ? <Organisation of={{ participantId, custodianId: null }} /> : null],
          ['Payment', payment ? <PaymentLink of={payment} /> : null],
          ['Event', <Id value={requestId} isWhole />],
        ]}
      />
    </Card>
  )
}

/** The payment that the event tells of. */
function PaymentLink({ of: { transactionId, type, amount, currency } }: { of: ToldPayment }) {
  const assets = useAssets().data
  const isOfLedger = [...(assets?.values() ?? [])].some(({ code }) => code === currency)
  return (
    <a href={`/console/${isOfLedger ? 'transactions' : 'bank'}/${transactionId}`}>
      {toWords(type)} of {groupDigits(moneyText(amount, currency))} {currency}
    </a>
  )
}

/** The endpoint by its address; where it was deleted since, its page says so. */
function EndpointLink({ id, url }: { id: string | null; url: string }) {
  if (url === '') return <>None: nobody subscribed to it</>
  return id ? <a href={`/console/webhooks?endpointId=${id}`}>{url}</a> : <span>{url}</span>
}

/** The parts of the request that are the same in every attempt. */
const Sent = ({ delivery: { body, deliveryId, webhookUrl } }: { delivery: DeliveryDetails }) => (
  <Card title="Request">
    <Facts
      of={[
        ['POST', webhookUrl === '' ? <span class="none">no endpoint took it</span> : <code>{webhookUrl}</code>],
        ['webhook-id', <Id value={deliveryId} isWhole />],
      ]}
    />
    <JsonView of={parsed(body)} title="Body" isOpen />
    <p class="hint">Every attempt has its own timestamp and signature: they stand with the attempt.</p>
  </Card>
)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function Replay({ delivery, onClose }: { delivery: DeliveryDetails; onClose(): void }) {
  const { deliveryId, status, webhookUrl } = delivery
  return (
    <Act
      title="Send this delivery again?"
      confirm="Send again"
      act={({ headers }) =>
        webhook.POST('/webhooks/delivery/{deliveryId}/replay', { params: { path: { deliveryId } }, headers })
      }
      done="The delivery is sent again"
      onDone={readAgain}
      onClose={onClose}
    >
      <p>
        {webhookUrl === ''
          ? 'It goes to the endpoints that now subscribe to this event.'
          : `It goes to ${webhookUrl}, at once and with all its retries.`}{' '}
        The webhook-id stays the same, so that the receiver can recognise the repeat.
      </p>
      {status === 'delivered' ? <p>It was delivered before: the receiver gets it twice.</p> : null}
    </Act>
  )
}

/** Every attempt of a delivery, newest first, with the receiver's answer. */
function Attempts({ deliveryId, body, isOver }: { deliveryId: string; body: string; isOver: boolean }) {
  const read = useAttempts(deliveryId)
  return (
    <Card title="Attempts" aside={read.data ? read.data.length : null}>
      <Loaded of={read}>
        {(attempts) =>
          attempts.length === 0 ? (
            <Empty
              icon={isOver ? 'info' : 'clock'}
              title={isOver ? 'No attempt was made' : 'No attempt has ended yet'}
            />
          ) : (
            <ol>
              {attempts.map((attempt, i) => (
                <AttemptItem key={attempt.id} attempt={attempt} body={body} number={attempts.length - i} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  )
}

function AttemptItem({ attempt, body, number }: { attempt: Attempt; body: string; number: number }) {
  const { startedAt, durationMs, httpStatus, request, answer, error } = attempt
  const isGood = error === null
  return (
    <li class={`attempt tone-${isGood ? 'good' : 'bad'}`}>
      <div class="row">
        <strong>{number}</strong>
        <Time at={startedAt} ms />
        {httpStatus === null ? (
          <Status value="no answer" tone="bad" />
        ) : (
          <Status value={String(httpStatus)} tone={isGood ? 'good' : 'bad'} />
        )}
        <span class="hint">{formatDuration(durationMs)}</span>
      </div>
      {error ? <p>{error}</p> : null}
      {request ? <SentText text={requestText(request, body)} /> : null}
      {answer ? (
        <div>
          <p class="hint">Answer</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="answer" tabIndex={0}>
            {answer}
          </pre>
        </div>
      ) : null}
    </li>
  )
}

/** What the receiver was sent: with it, it can be seen why a signature does not verify there. */
const SentText = ({ text }: { text: string }) => (
  <details class="json">
    <summary>Request, with its signature</summary>
    <div class="json-text">
      <Copy value={text} label="Copy the request" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre class="answer" tabIndex={0}>
        {text}
      </pre>
    </div>
  </details>
)
