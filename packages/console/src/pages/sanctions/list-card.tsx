import { formatCount } from '../../format/amount'
import { counted, shorten } from '../../format/words'
import { Figure } from '../../ui/card'
import { Loaded, Note } from '../../ui/states'
import { Age, Ago } from '../../ui/time'
import { type SanctionsList, useLists } from './sanctions-queries'

/** The list that screenings use: its version, its age, and the error of its last update. */
export function ListCards() {
  const read = useLists()
  return (
    <Loaded of={read} lines={6}>
      {(lists) => lists.map((list) => <ListCard key={list.source} list={list} />)}
    </Loaded>
  )
}

function ListCard({ list }: { list: SanctionsList }) {
  const { isOld, lastFailure, ageHours, checksum } = list
  return (
    <section class="stack" aria-label={list.source}>
      <div class="figures">
        <Figure
          label={`${list.source} list`}
          value={ageWords(ageHours)}
          tone={isOld ? 'wait' : undefined}
          note={`old, version ${list.version}`}
        />
        <Figure label="Addresses" value={formatCount(list.entries)} note="listed" />
        <Figure label="Names" value={formatCount(list.names)} note="listed" />
        <Figure
          label="Screened again"
          value={formatCount(list.rescreened)}
          tone={list.rescreenHits > 0 ? 'bad' : undefined}
          note={list.rescreenHits > 0 ? `${counted(list.rescreenHits, 'new hit')} in this list` : null}
        />
        <Figure
          label="In use"
          value={list.loadedAt ? <Age since={list.loadedAt} /> : '–'}
          note={
            <>
              {list.origin}
              {checksum ? (
                <>
                  {' '}
                  <code title={checksum}>{shorten(checksum)}</code>
                </>
              ) : null}
            </>
          }
        />
      </div>
      {isOld ? (
        <Note tone="wait">
          Parties that were listed since are not found. Install the current list with{' '}
          <code>bun run sanctions:update</code>.
        </Note>
      ) : null}
      {lastFailure ? (
        <Note tone="bad">
          <Ago what="The last update failed" at={lastFailure.at} />: {lastFailure.reason}
        </Note>
      ) : null}
    </section>
  )
}

const ageWords = (hours: number): string =>
  hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')
