import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { serviceUrl } from '../../api/services'
import { useStore } from '../../api/store'
import { formatCount } from '../../format/amount'
import { withFilter } from '../../format/filters'
import { Button } from '../../ui/button'
import { CsvLink } from '../../ui/csv-link'
import { Kbd } from '../../ui/kbd'
import { useKeys } from '../../ui/keys'
import { Page } from '../../ui/page'
import { zoneStore } from '../../ui/preferences'
import { Empty, ErrorNote, Skeleton } from '../../ui/states'
import { useFilters } from '../../ui/use-filters'
import { LiveBadge, LiveNotes, NewMessages } from './live-state'
import { LogFilterBar } from './log-filters'
import { LogList } from './log-list'
import { filterNames, type LogMessage, queryOf } from './log-query'
import { mostRows } from './merge-rows'
import { MessageDialog } from './message-dialog'
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
