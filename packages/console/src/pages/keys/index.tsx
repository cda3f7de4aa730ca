import { wholeList } from '../../api/list'
import { useSession } from '../../api/session'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Page } from '../../ui/page'
import { Empty, Note } from '../../ui/states'
import { Status } from '../../ui/status'
import { In, Time } from '../../ui/time'
import { IssueKey } from './issue-key'
import { type ApiKey, endsSoon, isValid, useApiKeys } from './keys-query'

/** The API keys of the own institution: which is current, when each ends, and a button for a new one. */
export default function Keys() {
  const { user } = useSession()
  const id = user.participantId ?? ''
  const isAdmin = user.roles.includes('participant-admin')
  const keys = useApiKeys(id)
  const [current] = keys.data ?? []
  return (
    <Page
      title="API keys"
      actions={
        isAdmin ? (
          <DialogButton look="main" icon="key" dialog={(close) => <IssueKey id={id} onClose={close} />}>
            Issue a key
          </DialogButton>
        ) : null
      }
    >
      {current && endsSoon(current) ? (
        <Note tone="wait">
          <In what="The current key ends" at={current.validUntil} />. Issue another one, and replace it where your
          programs read it.
        </Note>
      ) : null}
      <DataTable
        label="API keys"
        columns={columnsOf(current)}
        list={wholeList(keys.data, keys)}
        empty={
          <Empty icon="key" title="Your institution has no API key yet">
            <p>
              {isAdmin
                ? 'Issue one: your programs send it in the header X-API-KEY.'
                : 'An administrator of your institution issues keys.'}
            </p>
          </Empty>
        }
      />
      <p class="hint">
        A new key works at once. The one before stays valid for the time that you choose, 24 hours unless you change it,
        so that you can replace it everywhere. Keys are shown once, when they are issued.
      </p>
    </Page>
  )
}

const columnsOf = (current: ApiKey | undefined): readonly Column<ApiKey>[] => [
  { head: 'Key', narrow: 'lead', cell: ({ masked }) => <code>{masked}</code> },
  { head: 'State', narrow: 'end', cell: (key) => <State of={key} isCurrent={key.id === current?.id} /> },
  {
    head: 'From',
    isWide: true,
    cell: ({ addresses }) => addresses?.join(', ') ?? <span class="none">any address</span>,
  },
  { head: 'Issued', narrow: 'sub', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'Ends',
    narrow: 'sub-end',
    cell: (key) => (isValid(key) ? <In at={key.validUntil} /> : <Time at={key.validUntil} />),
  },
]

/** An earlier key that is still valid is being replaced by the current one. */
function State({ of, isCurrent }: { of: ApiKey; isCurrent: boolean }) {
  if (!isValid(of)) return <Status value={of.status} tone="plain" />
  if (isCurrent) return <Status value="current" tone="good" />
  return <Status value="being replaced" tone="wait" />
}
