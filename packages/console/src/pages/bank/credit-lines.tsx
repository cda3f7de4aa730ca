import { useId } from 'preact/hooks'
import type { components } from '#types/transaction-manager'
import { ApiError } from '../../api/api-error'
import { useList } from '../../api/list'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { main, pageOf, payments } from '../../api/services'
import { useCan } from '../../api/session'
import { periodOf } from '../../format/time'
import { Act } from '../../ui/act'
import { Amount } from '../../ui/amount'
import { actsColumn, amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { AmountField, Field } from '../../ui/field'
import { Meter } from '../../ui/meter'
import { Options } from '../../ui/options'
import { Institution } from '../../ui/organisations'
import { Empty } from '../../ui/states'
import { Time } from '../../ui/time'
import { shareUsed } from './sums'

type CreditLine = components['schemas']['CreditLine']

/** The credit lines of participants: limits, and how much of them is used. */
export function CreditLines() {
  const isAdmin = useCan('manage')
  const list = useList<CreditLine>({
    key: ['credit-lines'],
    limit: 500,
    page: (last, limit, signal) => {
      const [after, afterCurrency] = last?.split(' ') ?? []
      return pageOf(payments.GET('/credit-lines', { params: { query: { after, afterCurrency, limit } }, signal }))
    },
    idOf: idOfLine,
    everyMs: 30_000,
  })
  return (
    <DataTable
      title="Credit lines"
      aside={
        isAdmin ? (
          <DialogButton isSmall icon="plus" dialog={(close) => <SetLine of={null} onClose={close} />}>
            Set a credit line
          </DialogButton>
        ) : null
      }
      columns={columnsOf(isAdmin)}
      list={list}
      idOf={idOfLine}
      empty={
        <Empty icon="bank" title="No participant has a credit line">
          A credit line lets payouts leave before the participant’s money has arrived. An administrator sets it.
        </Empty>
      }
    />
  )
}

const idOfLine = ({ participantId, currency }: CreditLine): string => `${participantId} ${currency}`

const columnsOf = (isAdmin: boolean): Column<CreditLine>[] => [
  {
    head: 'Participant',
    narrow: 'lead',
    isWide: true,
    cell: ({ participantId }) => <Institution id={participantId} />,
  },
  amountColumn(({ limit, currency }) => <Amount value={limit} asset={currency} />, 'Limit'),
  { head: 'Used', align: 'end', cell: ({ used, currency }) => <Amount value={used} asset={currency} /> },
  { head: 'Left', align: 'end', cell: ({ available, currency }) => <Amount value={available} asset={currency} /> },
  { head: 'Share', narrow: 'hide', needsRoom: true, cell: (line) => <Share of={line} /> },
  {
    head: 'Expires',
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : null),
  },
  ...actsColumn(isAdmin, (line: CreditLine) => (
    <DialogButton isSmall look="quiet" dialog={(close) => <SetLine of={line} onClose={close} />}>
      Change
    </DialogButton>
  )),
]

function Share({ of: { used, limit } }: { of: CreditLine }) {
  const share = shareUsed(used, limit)
  if (share === null) return <span class="none">closed</span>
  const tone = share >= 90 ? 'bad' : share >= 70 ? 'wait' : 'good'
  return <Meter value={share} tone={tone} words={`${share} % used`} />
}

/** An approved institution, found by its name among the first hundred; its id can be pasted too. */
function ChooseInstitution() {
  const id = useId()
  const { data } = useRead(['approved-institutions'], (signal) =>
    main.GET('/admin/pfi', { params: { query: { status: 'APPROVED', limit: 100 } }, signal }),
  )
  return (
    <>
      <Field
        label="Participant"
        name="participantId"
        list={id}
        required
        pattern="[0-9A-Fa-f\-]{36}"
        title="Choose a participant, or paste its id."
        hint="Type its name and choose it, or paste its id."
      />
      <datalist id={id}>
        <Options of={data?.data} />
      </datalist>
    </>
  )
}

/** The last moment of a day, or that of the line where the day is its own already. */
function endOf(day: string, of: CreditLine | null): string | null {
  if (day === '') return null
  if (of?.expiresAt?.startsWith(day)) return of.expiresAt
  const { to } = periodOf({ from: '', to: day }, 'utc')
  if (to === undefined) throw new ApiError(400, 'There is no such day')
  return to
}

/** Sets the limit of a participant in a currency; `of` is the existing line. */
const SetLine = ({ of, onClose }: { of: CreditLine | null; onClose(): void }) => (
  <Act
    title={of ? `Change the credit line in ${of.currency}?` : 'Set a credit line?'}
    confirm="Set the limit"
    act={({ text, headers }) => {
      const params = { path: { id: of?.participantId ?? text('participantId') } }
      const body = {
        currency: of?.currency ?? text('currency').toUpperCase(),
        limit: text('limit'),
        expiresAt: endOf(text('expiresAt'), of),
      }
      return main.PUT('/admin/pfi/{id}/credit-line', { params, headers, body })
    }}
    done="The limit is set"
    onDone={() => reread(['credit-lines'])}
    onClose={onClose}
  >
    {of ? null : (
      <>
        <ChooseInstitution />
        <Field
          label="Currency"
          name="currency"
          required
          pattern="[A-Za-z]{3}"
          maxLength={3}
          title="Write three letters, such as USD."
          hint="ISO 4217: USD"
        />
      </>
    )}
    <AmountField
      label={of ? `Limit in ${of.currency}` : 'Limit'}
      name="limit"
      required
      defaultValue={of?.limit}
      hint={of ? `${of.used} ${of.currency} are used now; 0 allows no further use.` : '0 allows no use.'}
    />
    <Field
      label="Last day (optional)"
      name="expiresAt"
      pattern="\d{4}-\d{2}-\d{2}"
      title="Write the day as 2026-12-31."
      placeholder="2026-12-31"
      inputMode="numeric"
      defaultValue={of?.expiresAt?.slice(0, 10)}
      hint="By UTC. Without one the line does not expire."
    />
  </Act>
)
