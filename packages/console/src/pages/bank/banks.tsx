import { useRef } from 'preact/hooks'
import type { components } from '#types/main-api'
import { useList } from '../../api/list'
import { reread } from '../../api/query'
import { bodyPageOf, dataOf, identity, main } from '../../api/services'
import { useCan } from '../../api/session'
import { toWords } from '../../format/words'
import { Act, type ActInput } from '../../ui/act'
import { actsColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Choice, Field } from '../../ui/field'
import { Id } from '../../ui/id'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { CountryChoice } from '../participants/country-choice'
import { useRoles } from '../users/users-query'

type Bank = components['schemas']['CustodianBank']

/** The banks that keep the participants' accounts. */
export function Banks() {
  const isAdmin = useCan('manage')
  const list = useList<Bank>({
    key: ['custodian-banks'],
    page: (_after, limit, signal, offset) =>
      bodyPageOf(main.GET('/admin/custodian-bank', { params: { query: { limit, offset } }, signal })),
  })
  return (
    <DataTable
      title="Custodian banks"
      aside={
        isAdmin ? (
          <DialogButton isSmall icon="plus" dialog={(close) => <RegisterCustodian onClose={close} />}>
            Register a custodian bank
          </DialogButton>
        ) : null
      }
      columns={columnsOf(isAdmin)}
      list={list}
      empty={
        <Empty icon="bank" title="There is no custodian bank yet">
          An administrator registers them.
        </Empty>
      }
    />
  )
}

const columnsOf = (isAdmin: boolean): Column<Bank>[] => [
  { head: 'Bank', narrow: 'lead', isWide: true, cell: ({ name }) => <b>{name}</b> },
  { head: 'Country', narrow: 'sub', cell: ({ country }) => country },
  { head: 'Services', needsRoom: true, cell: ({ services }) => services.map(toWords).join(', ') },
  { head: 'Id', cell: ({ id }) => <Id value={id} /> },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} /> },
  ...actsColumn(isAdmin, (bank: Bank) => (
    <DialogButton isSmall look="quiet" icon="cross" dialog={(close) => <RemoveBank of={bank} onClose={close} />}>
      Remove
    </DialogButton>
  )),
]

const RemoveBank = ({ of, onClose }: { of: Bank; onClose(): void }) => (
  <Act
    title={`Remove ${of.name}?`}
    confirm="Remove"
    look="danger"
    act={({ headers }) => main.DELETE('/admin/custodian-bank/{id}', { params: { path: { id: of.id } }, headers })}
    done="The custodian bank is removed"
    onDone={() => reread(['custodian-banks'])}
    onClose={onClose}
  >
    <p>A bank that keeps an account of a participant cannot be removed.</p>
  </Act>
)

const services = [
  ['CUSTODY', 'Custody'],
  ['SETTLEMENT', 'Settlement'],
  ['FX', 'Foreign exchange'],
] as const

/** Adds a custodian bank, and invites its first user if one is named. */
function RegisterCustodian({ onClose }: { onClose(): void }) {
  const roles = useRoles('custodian')
  const roleId = roles.data?.find(({ name }) => name === 'custodian-admin')?.id ?? ''
  // A refused invitation is repeated without a second bank.
  const added = useRef<Bank | null>(null)
  return (
    <Act
      title="Register a custodian bank"
      confirm="Register"
      act={async (input) => {
        added.current ??= await addBank(input)
        await inviteFirst(input, { custodianId: added.current.id, roleId })
        return added.current
      }}
      done={({ name }) => `${name} is registered`}
      onDone={readAgain}
      onRefused={() => (added.current ? readAgain() : undefined)}
      onClose={onClose}
    >
      <Field label="Name" name="name" required pattern=".*\S.*" maxLength={255} />
      <div class="field-pair">
        <CountryChoice label="Country" name="country" />
        <Choice label="Status" name="status" hint="Only active banks are offered to participants.">
          <option value="ACTIVE">Active</option>
          <option value="INACTIVE">Inactive</option>
        </Choice>
      </div>
      <fieldset class="field-group">
        <legend>Services</legend>
        <div class="check-row">
          {services.map(([value, words]) => (
            <label key={value}>
              <input type="checkbox" name="services" value={value} /> {words}
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset class="field-group">
        <legend>Its first user</legend>
        <p class="hint">
          Gets a mail with a link, sets a password and becomes its administrator. Leave it empty to invite somebody
          later, under Users.
        </p>
        <div class="field-pair">
          <Field label="E-mail" name="email" type="email" maxLength={254} />
          <Field label="Person’s name" name="person" maxLength={255} />
        </div>
      </fieldset>
    </Act>
  )
}

const addBank = ({ form, text, headers }: ActInput): Promise<Bank> =>
  dataOf(
    main.POST('/admin/custodian-bank', {
      body: {
        name: text('name'),
        country: text('country'),
        status: text('status') as Bank['status'],
        services: form.getAll('services').map(String),
      },
      headers,
    }),
  )

async function inviteFirst({ text, headers }: ActInput, of: { custodianId: string; roleId: string }): Promise<void> {
  const email = text('email')
  if (email === '') return
  const body = { email, name: text('person') || email, ...of }
  const key = `${headers['Idempotency-Key']}:user`
  await identity.POST('/users', { body, headers: { 'Idempotency-Key': key } })
}

function readAgain(): void {
  reread(['custodian-banks'], ['organisations', 'custodian'], ['users'])
}
