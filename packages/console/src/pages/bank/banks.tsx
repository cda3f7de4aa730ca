import { useState } from 'preact/hooks'
import type { components } from '#types/main-api'
import { useList } from '../../api/list'
import { queries } from '../../api/query'
import { bodyPageOf, main } from '../../api/services'
import { useCan } from '../../api/session'
import { toWords } from '../../format/words'
import { Act } from '../../ui/act'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { RegisterCustodian } from '../participants/register-custodian'

type Bank = components['schemas']['CustodianBank']

/** The banks that keep the participants' accounts. */
export function Banks() {
  const [open, setOpen] = useState<'new' | Bank | null>(null)
  const isAdmin = useCan('manage')
  const list = useList<Bank>({
    key: ['custodian-banks'],
    page: (_after, limit, signal, offset) =>
      bodyPageOf(main.GET('/admin/custodian-bank', { params: { query: { limit, offset } }, signal })),
  })
  const close = () => setOpen(null)
  return (
    <Card
      title="Custodian banks"
      aside={
        isAdmin ? (
          <Button isSmall icon="plus" onClick={() => setOpen('new')}>
            Register a custodian bank
          </Button>
        ) : null
      }
      isFlush
    >
      <DataTable
        label="Custodian banks"
        columns={columnsOf(isAdmin ? setOpen : null)}
        list={list}
        empty={
          <Empty icon="bank" title="There is no custodian bank yet">
            An administrator registers them.
          </Empty>
        }
      />
      {open === 'new' ? <RegisterCustodian onClose={close} /> : open ? <RemoveBank of={open} onClose={close} /> : null}
    </Card>
  )
}

const columnsOf = (remove: ((bank: Bank) => void) | null): Column<Bank>[] => [
  { head: 'Bank', narrow: 'lead', isWide: true, cell: ({ name }) => <b>{name}</b> },
  { head: 'Country', narrow: 'sub', cell: ({ country }) => country },
  { head: 'Services', needsRoom: true, cell: ({ services }) => services.map(toWords).join(', ') },
  { head: 'Id', cell: ({ id }) => <Id value={id} /> },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} /> },
  ...(remove
    ? [
        {
          head: 'Acts',
          align: 'end' as const,
          narrow: 'sub-end' as const,
          cell: (bank: Bank) => (
            <Button isSmall look="quiet" icon="cross" onClick={() => remove(bank)}>
              Remove
            </Button>
          ),
        },
      ]
    : []),
]

const changed = () => void queries.invalidateQueries({ queryKey: ['custodian-banks'] })

const RemoveBank = ({ of, onClose }: { of: Bank; onClose(): void }) => (
  <Act
    title={`Remove ${of.name}?`}
    confirm="Remove"
    look="danger"
    act={async ({ idempotencyKey }) => {
      await main.DELETE('/admin/custodian-bank/{id}', {
        params: { path: { id: of.id } },
        headers: { 'Idempotency-Key': idempotencyKey },
      })
    }}
    done="The custodian bank is removed"
    onDone={changed}
    onClose={onClose}
  >
    <p>A bank that keeps an account of a participant cannot be removed.</p>
  </Act>
)
