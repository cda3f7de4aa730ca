import type { components } from '#types/main-api'
import { useList } from '../../api/list'
import { reread } from '../../api/query'
import { bodyPageOf, main } from '../../api/services'
import { useCan } from '../../api/session'
import { toWords } from '../../format/words'
import { Act } from '../../ui/act'
import { actsColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Id } from '../../ui/id'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { RegisterCustodian } from '../participants/register-custodian'

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
