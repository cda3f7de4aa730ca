import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { queryText } from '../../api/http'
import { serviceUrl } from '../../api/services'
import { useStore } from '../../api/store'
import { formatCount } from '../../format/amount'
import { withFilter } from '../../format/filters'
import { formatDuration } from '../../format/time'
import { counted } from '../../format/words'
import { Button, LinkButton } from '../../ui/button'
import { Facts } from '../../ui/card'
import { CsvLink } from '../../ui/csv-link'
import { Dialog } from '../../ui/dialog'
import { Filters } from '../../ui/filters'
import { Id, RequestId, requestHref } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Kbd } from '../../ui/kbd'
import { useKeys } from '../../ui/keys'
import { Page } from '../../ui/page'
import { zoneStore } from '../../ui/preferences'
import { Empty, ErrorNote, Note, Skeleton } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time, useNow } from '../../ui/time'
import { type BoundFilters, useFilters } from '../../ui/use-filters'
import { LogList } from './log-list'
import { filterNames, hidesRates, type LogMessage, queryOf } from './log-query'
import { mostRows } from './merge-rows'
import { wordsOf } from './message-words'
import { type Log, useLog } from './use-log'

/** The activity of all services, live. */
export default function LogPage() {
  const filters = useFilters(filterNames)
  useSought()
  const zone = useStore(zoneStore)
  const [isPaused, setPaused] = useState(false)
  const [opened, setOpened] = useState<LogMessage | null>(null)
  const isReading = useScrolledDown()
  const { url } = useLocation()
  // Its links open other messages on this page.
  useEffect(() => setOpened(null), [url])
  const log = useLog(filters.values, isPaused || isReading)
  useKeys([{ key: 'p', does: isPaused ? 'Go on' : 'Pause', group: 'This page', run: () => setPaused(!isPaused) }])
  return (
    <Page
      title="Activity log"
      badge={<LiveBadge log={log} isPaused={isPaused} />}
      actions={
        <>
          <Button icon={isPaused ? 'play' : 'pause'} aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'} <Kbd keys="p" />
          </Button>
          <CsvLink href={serviceUrl('tracker', '/log-messages/export')} query={queryOf(filters.values, zone)} />
        </>
      }
    >
      <LogFilterBar of={filters} />
      <LiveNotes log={log} />
      {isReading && !isPaused ? <NewMessages waiting={log.waiting} onShow={() => scrollTo({ top: 0 })} /> : null}
      <Messages log={log} onOpen={setOpened} onClear={filters.hasAny ? filters.clear : undefined} />
      {opened ? <MessageDialog key={opened.id} message={opened} onClose={() => setOpened(null)} /> : null}
    </Page>
  )
}

function Messages({ log, onOpen, onClear }: { log: Log; onOpen(message: LogMessage): void; onClear?: () => void }) {
  const { rows, error, older } = log
  if (rows === undefined) {
    return error ? <ErrorNote error={error} retry={log.reload} /> : <Skeleton lines={12} />
  }
  if (rows.length === 0) {
    return (
      <Empty icon="log" title={onClear ? 'No message matches these filters' : 'Nothing has happened yet'}>
        <p>{log.state === 'live' ? 'New ones appear here automatically.' : 'Messages come as the services work.'}</p>
        {onClear ? <Button onClick={onClear}>Clear the filters</Button> : null}
      </Empty>
    )
  }
  return (
    <>
      {error ? <ErrorNote error={error} title="The newest messages could not be read." retry={log.reload} /> : null}
      <div class="table-frame">
        <LogList rows={rows} onOpen={onOpen} />
        <div class="table-foot">
          <span>
            {formatCount(rows.length)} shown
            {log.total !== null && log.total > rows.length ? ` of ${formatCount(log.total)}` : ''}
            {rows.length >= mostRows ? '. The page holds no more; the CSV has all of them' : ''}
          </span>
          {older.error ? <span class="bad">{older.error.message}</span> : null}
          {older.hasMore ? (
            <Button isSmall disabled={older.isReading} onClick={() => void older.read()}>
              {older.isReading ? 'Loading…' : 'Load older'}
            </Button>
          ) : null}
        </div>
      </div>
    </>
  )
}

/** The search links here with texts of unknown kind: they are used as a request's id. */
function useSought(): void {
  const { url, query, route } = useLocation()
  const { q = '' } = query
  useEffect(() => {
    if (q !== '') route(withFilter(url, { q: '', requestId: q }), true)
  }, [q])
}

/** Whether the page is scrolled down: new messages must not move the shown ones then. */
function useScrolledDown(): boolean {
  const [isDown, setDown] = useState(false)
  useEffect(() => {
    const look = () => setDown(scrollY > 160)
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return isDown
}

/** A message with all its fields, and links to related messages. */
function MessageDialog({ message, onClose }: { message: LogMessage; onClose(): void }) {
  const { event, action, detail } = wordsOf(message)
  const { transaction_id: transactionId } = message.metadata
  const isOfTransaction = typeof transactionId === 'string'
  const isOfLedger = isOfTransaction && message.service === 'core-ledger'
  return (
    <Dialog title={`${event} ${action}`.trim()} onClose={onClose} isWide>
      <div class="act">
        <Facts
          of={[
            ['Status', <Status value={message.status} />],
            ['Time', <Time at={message.timestamp} ms zone />],
            ['Service', <code>{message.service}</code>],
            ['Detail', detail === '' ? null : detail],
            ['Request', <RequestId value={message.request_id} isWhole />],
            [
              'Transaction',
              isOfTransaction ? (
                <Id
                  key="transaction"
                  value={transactionId}
                  href={isOfLedger ? `/console/transactions/${encodeURIComponent(transactionId)}` : undefined}
                  isWhole
                />
              ) : null,
            ],
            ['Message', <Id value={message.id} isWhole />],
          ]}
        />
        <JsonView of={message.metadata} title="Further facts" isOpen />
        <div class="act-buttons">
          {isOfTransaction ? (
            <LinkButton href={`/console/log${queryText({ transactionId })}`}>All of this transaction</LinkButton>
          ) : null}
          <LinkButton href={requestHref(message.request_id)}>All of this request</LinkButton>
          <Button look="main" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Whether new messages appear automatically, and if not, why. */
function LiveBadge({ log, isPaused }: { log: Log; isPaused: boolean }) {
  const { tone, words, isPulsing } = stateOf(log, isPaused)
  return (
    <span class={`badge live tone-${tone}`} role="status">
      <span class={isPulsing ? 'live-dot is-pulsing' : 'live-dot'} />
      {words}
    </span>
  )
}

function stateOf({ state, waiting }: Log, isPaused: boolean) {
  if (state === 'off') return { tone: 'plain', words: 'Not live', isPulsing: false }
  if (state === 'waiting') return { tone: 'wait', words: 'Reconnecting', isPulsing: false }
  if (isPaused) return { tone: 'wait', words: waiting > 0 ? `Paused, ${waiting} new` : 'Paused', isPulsing: false }
  return state === 'live'
    ? { tone: 'good', words: 'Live', isPulsing: true }
    : { tone: 'plain', words: 'Connecting', isPulsing: false }
}

/** Notes about messages that are missing on the page. */
function LiveNotes({ log }: { log: Log }) {
  return (
    <>
      {log.lostAt === null ? null : <Lost since={log.lostAt} />}
      {log.hasGap ? (
        <Note tone="wait" role="status" again={log.reload} words="Read the newest">
          The stream was away for so long that not all it missed could be sent: messages are missing here, and are in
          the log.
        </Note>
      ) : null}
    </>
  )
}

function Lost({ since }: { since: number }) {
  const now = useNow(1000)
  return (
    <Note tone="wait" icon="clock">
      No new messages for {formatDuration(Math.max(0, now - since))}: the stream is lost, and is reopened automatically.
      Missed messages follow then.
    </Note>
  )
}

/** Scrolls to the messages that arrived while the page was scrolled down. */
function NewMessages({ waiting, onShow }: { waiting: number; onShow(): void }) {
  if (waiting === 0) return null
  return (
    <div class="log-new">
      <Button look="main" isSmall icon="out" onClick={onShow}>
        {counted(waiting, 'new message')}
      </Button>
    </div>
  )
}

type Bound = BoundFilters<(typeof filterNames)[number]>

const services = (
  'account blockchain core-ledger customer gateway identity-manager log-tracker main-api ' +
  'message notification participant quote sanctions transaction-manager wallet webhook'
)
  .split(' ')
  .map((name) => [name, name] as const)
/** Every event; the type check fails if one is missing. */
const types = Object.keys({
  TRANSACTION_CREATED: true,
  TRANSACTION_COMPLETED: true,
  TRANSACTION_FAILED: true,
  TRANSACTION_CANCELLED: true,
  VALUATION_REQUESTED: true,
  VALUATION_PROCESSED: true,
  VALUATION_FAILED: true,
  PARTICIPANT_CREATED: true,
  PARTICIPANT_UPDATED: true,
  PARTICIPANT_DELETED: true,
  WALLET_CREATED: true,
  WALLET_BALANCE_UPDATED: true,
  WALLET_TRANSACTION: true,
  SERVICE_STARTED: true,
  SERVICE_STOPPED: true,
  HEALTH_CHECK: true,
  ERROR_OCCURRED: true,
} satisfies Record<LogMessage['event_type'], true>)

/** The log's filters, and the switch for messages about rates. */
function LogFilterBar({ of }: { of: Bound }) {
  const isHiding = hidesRates(of.values)
  const isChoice = isHiding || of.values.rates === 'show'
  return (
    <div class="rows">
      <Filters
        label="Filter the log"
        of={of}
        fields={[
          { kind: 'choice', name: 'service', label: 'Service', options: services },
          { kind: 'choice', name: 'type', label: 'Event', options: types },
          { kind: 'choice', name: 'status', label: 'Status', options: ['SUCCESS', 'FAILURE', 'PENDING'] },
          { kind: 'text', name: 'requestId', label: 'Request id' },
          { kind: 'text', name: 'transactionId', label: 'Transaction id' },
          { kind: 'period', name: 'from', to: 'to', label: 'Days' },
        ]}
      />
      {isChoice ? (
        <p class="hint row log-rates">
          {isHiding ? 'Reads of rates are left out.' : 'Reads of rates are shown.'}
          <Button look="quiet" isSmall onClick={() => of.set('rates', isHiding ? 'show' : '')}>
            {isHiding ? 'Show them' : 'Leave them out'}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
