import { wholeList } from '../../api/list'
import { reread } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { useSession } from '../../api/session'
import { Act } from '../../ui/act'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Choice, Field, TextField } from '../../ui/field'
import { Copy } from '../../ui/id'
import { Page } from '../../ui/page'
import { ShownOnce } from '../../ui/shown-once'
import { Empty, Note } from '../../ui/states'
import { Status } from '../../ui/status'
import { In, Time } from '../../ui/time'
import { addressesIn } from './addresses-in'
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

/** Issues a key to the own institution, and shows it. */
function IssueKey({ id, onClose }: { id: string; onClose(): void }) {
  return (
    <Act
      title="Issue a new API key?"
      confirm="Issue"
      act={({ form, headers }) => {
        const addresses = addressesIn(form)
        const body = {
          expirationDate: Number(form.get('days')),
          previousValidHours: Number(form.get('previousValidHours')),
          ...(addresses.length > 0 ? { addresses } : {}),
        }
        return dataOf(main.POST('/participants/api-key', { body, headers }))
      }}
      done="A new key is issued"
      onDone={() => reread(['api-keys', id])}
      shows={({ data }) => <IssuedKey value={data.apiKey} onClose={onClose} />}
      onClose={onClose}
    >
      <p>The key is shown once, in the next window. Whoever has it can move the money of your institution.</p>
      <Field label="Valid for (days)" name="days" type="number" required min={1} max={3650} defaultValue="365" />
      <Choice
        label="The previous key ends"
        name="previousValidHours"
        defaultValue="24"
        hint="Allow enough time to replace it everywhere; choose at once if it may have been stolen."
      >
        <option value="24">in 24 hours</option>
        <option value="168">in 7 days</option>
        <option value="0">now</option>
      </Choice>
      <TextField
        label="Only from these addresses (optional)"
        name="addresses"
        rows={2}
        maxLength={2500}
        class="mono"
        spellcheck={false}
        placeholder="203.0.113.0/24"
        hint="One a line, or networks as CIDR. The list stays with the key: another list is another key."
      />
    </Act>
  )
}

/** The only time that the key is shown. */
const IssuedKey = ({ value, onClose }: { value: string; onClose(): void }) => (
  <ShownOnce
    title="Your new API key"
    note="It is not shown again. Keep it where your programs read their secrets."
    onClose={onClose}
  >
    <div class="box row issued-key">
      <code>{value}</code>
      <Copy value={value} label="Copy the key" />
    </div>
  </ShownOnce>
)
