import { formatCount } from '../../format/amount'
import { counted } from '../../format/words'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { Loaded, Note } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Age, Time } from '../../ui/time'
import { type SanctionsList, useLists } from './sanctions-queries'

/** The list that screenings use: its version and age, and what went wrong when it was to be renewed. */
export function ListCards() {
  const read = useLists()
  return (
    <Loaded of={read} lines={6}>
      {(lists) => lists.map((list) => <ListCard key={list.source} list={list} />)}
    </Loaded>
  )
}

function ListCard({ list }: { list: SanctionsList }) {
  const { isOld, lastFailure, ageHours } = list
  return (
    <Card
      title={list.source}
      aside={
        <Badge tone={isOld ? 'wait' : 'good'} icon={isOld ? 'alert' : 'check'}>
          {ageWords(ageHours)} old
        </Badge>
      }
    >
      {isOld ? (
        <Note tone="wait">
          Published {ageWords(ageHours)} ago: whoever was listed since is not found. Bring the current list with{' '}
          <code>bun run sanctions:update</code>.
        </Note>
      ) : null}
      {lastFailure ? (
        <Note tone="bad">
          The last update failed <Age since={lastFailure.at} /> ago: {lastFailure.reason}
        </Note>
      ) : null}
      <Facts
        of={[
          ['Version', list.version],
          ['Addresses', formatCount(list.entries)],
          ['Names', formatCount(list.names)],
          ['In use since', list.loadedAt ? <Time key="loaded" at={list.loadedAt} /> : null],
          ['From', list.origin],
          ['Checksum', list.checksum ? <Id key="checksum" value={list.checksum} /> : null],
          [
            'Screened anew',
            list.rescreened > 0
              ? `${counted(list.rescreened, 'address', 'addresses')}, ${counted(list.rescreenHits, 'new hit')}`
              : null,
          ],
        ]}
      />
    </Card>
  )
}

const ageWords = (hours: number): string =>
  hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')
