import { formatDuration } from '../../../format/time'
import { toWords } from '../../../format/words'
import { Actor } from '../../../ui/actor'
import { Amount } from '../../../ui/amount'
import { Icon, type IconName } from '../../../ui/icon'
import { Id, RequestId } from '../../../ui/id'
import { AccountName } from '../../../ui/names'
import { Badge, Status } from '../../../ui/status'
import { Time } from '../../../ui/time'
import type { Decision, Transaction } from './story-query'
import type { StoryLine } from './timeline'

const icons: Record<StoryLine['is'], IconName> = {
  steps: 'check',
  people: 'users',
  journal: 'bank',
  screening: 'review',
  chain: 'chain',
  told: 'webhooks',
  log: 'log',
}

/** One line of a transaction's story. */
export function TimelineLine({ of: line, transaction }: { of: StoryLine; transaction: Transaction }) {
  const tone = toneOf(line)
  return (
    <li class={`timeline-line tone-${tone}`} data-source={line.is}>
      <span class="timeline-sign">
        <Icon name={line.is === 'steps' && tone !== 'good' ? iconOfStep[tone] : icons[line.is]} size={14} />
      </span>
      <div class="timeline-words">
        <Words of={line} transaction={transaction} />
      </div>
      <span class="timeline-time">
        <Time at={line.at} clock />
        <span class="hint">{since(transaction.createdAt, line.at)}</span>
      </span>
    </li>
  )
}

const iconOfStep = { bad: 'bang', move: 'moving', plain: 'circle', wait: 'clock' } as const

function toneOf(line: StoryLine): 'good' | 'bad' | 'move' | 'plain' | 'wait' {
  if (line.is === 'steps') return line.tone
  if (line.is === 'people') return line.of.decision === 'REJECTED' || line.of.decision === 'FAILED' ? 'bad' : 'move'
  if (line.is === 'screening') return line.of.sanctioned ? 'bad' : 'plain'
  if (line.is === 'told' && line.delivery) return line.delivery.status === 'delivered' ? 'good' : 'wait'
  return 'plain'
}

const since = (begun: string, at: string): string => {
  const ms = Date.parse(at) - Date.parse(begun)
  if (ms <= 0) return ''
  // The first steps follow each other within seconds.
  return `+${ms >= 1000 && ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms)}`
}

function Words({ of: line, transaction }: { of: StoryLine; transaction: Transaction }) {
  switch (line.is) {
    case 'steps':
      return (
        <>
          <b>{line.title}</b>
          {line.detail ? <p>{line.detail}</p> : null}
        </>
      )
    case 'people':
      return <DecisionWords of={line.of} />
    case 'journal':
      return <EntryWords of={line.of} code={transaction.asset.code} />
    case 'screening':
      return (
        <>
          Screened by the sanctions service{' '}
          <a href={`/console/sanctions?job=${line.of.jobId}`}>
            <Status value={line.of.sanctioned ? 'hit' : line.of.status} />
          </a>
        </>
      )
    case 'chain':
      return (
        <>
          {line.title} {line.address ? <Id value={line.address} /> : null}
          {line.detail ? <p>{line.detail}</p> : null}
        </>
      )
    case 'told':
      return <ToldWords of={line} />
    case 'log':
      return <MessageWords of={line.of} />
  }
}

/** What a person did to a transaction, after their name. */
export const verbs: Record<Decision['decision'], string> = {
  ENTERED: 'entered it',
  PROPOSED: 'approved it as the first of two',
  APPROVED: 'approved it',
  REJECTED: 'rejected it',
  RETRIED: 'brought the next attempt forward',
  FAILED: 'failed it',
  RELEASE_PROPOSED: 'wanted it credited after all, as the first of two',
  RELEASED: 'had it credited after all',
  RETURN_PROPOSED: 'wanted it sent back, as the first of two',
  RETURNED: 'had it sent back to its source',
  COVER_PROPOSED: 'wanted it covered, as the first of two',
  COVERED: 'covered what is missing',
}

const DecisionWords = ({ of: { actor, decision, note } }: { of: Decision }) => (
  <>
    <span class="timeline-who">
      <Actor of={actor} />
    </span>{' '}
    {verbs[decision]}
    {note ? <blockquote>{note}</blockquote> : null}
  </>
)

type Entry = Extract<StoryLine, { is: 'journal' }>['of']

const entryWords: Record<Entry['kind'], string> = {
  arrival: 'Arrived',
  credit: 'Credited',
  hold: 'Held',
  release: 'Released',
  settlement: 'Paid out',
  delivery: 'Delivered',
  'return-hold': 'Held for its return',
  'return-release': 'Not sent back',
  return: 'Sent back',
  execution: 'Moved on chain',
  fee: 'Network fee paid',
}

const bucketWords: Record<Entry['from']['bucket'], string> = {
  available: 'the account can use it',
  frozen: 'held for something under way',
  suspense: 'arrived, and credited to nobody',
  returning: 'on its way back to its source',
  fees: 'network fees of the platform',
  world: 'outside, on the network',
}

function EntryWords({ of: { kind, number, amount, from, to }, code }: { of: Entry; code: string }) {
  return (
    <>
      {entryWords[kind]} <Amount value={amount} asset={code} />{' '}
      <span>
        <Side of={from} isBare={from.account === to.account} /> <span aria-hidden="true">→</span>
        <span class="visually-hidden">to</span> <Side of={to} />
      </span>{' '}
      <span class="hint">entry {number}</span>
    </>
  )
}

/** Within an account its name stands once. */
const Side = ({ of: { account, bucket }, isBare }: { of: Entry['from']; isBare?: boolean }) => (
  <span class="side" title={`${bucket}: ${bucketWords[bucket]}`}>
    <Badge>{bucket}</Badge>{' '}
    {isBare ? null : bucket === 'available' || bucket === 'frozen' ? <AccountName id={account} isPlain /> : account}
  </span>
)

function ToldWords({ of: { title, event, delivery } }: { of: Extract<StoryLine, { is: 'told' }> }) {
  if (event) {
    return (
      <>
        {title} <b>{toWords(event.data.status).toLowerCase()}</b> <span class="hint">{event.type}</span>
      </>
    )
  }
  if (!delivery) return <>{title}</>
  const { deliveryId, webhookUrl, attemptCount, httpStatus, lastError, status } = delivery
  return (
    <>
      {title} to <a href={`/console/webhooks?delivery=${deliveryId}`}>{webhookUrl}</a>{' '}
      <span class="hint">
        {attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`}
        {httpStatus ? `, answered ${httpStatus}` : ''}
        {lastError && status !== 'delivered' ? `: ${lastError}` : ''}
      </span>
    </>
  )
}

function MessageWords({
  of: { service, event_type, metadata, request_id },
}: {
  of: Extract<StoryLine, { is: 'log' }>['of']
}) {
  const textOf = (...names: string[]) =>
    names.map((name) => metadata[name]).find((text): text is string => typeof text === 'string')
  const action = textOf('action', 'wallet_status')
  const detail = textOf('detail', 'message', 'reason')
  return (
    <>
      <code class="service">{service}</code> {toWords(event_type)}
      {action ? <b> · {toWords(action).toLowerCase()}</b> : null} <RequestId value={request_id} />
      {detail ? <p>{detail}</p> : null}
    </>
  )
}
