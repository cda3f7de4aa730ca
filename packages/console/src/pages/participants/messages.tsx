import { useState } from 'preact/hooks'
import { useList } from '../../api/list'
import { message, pageOf } from '../../api/services'
import { Button } from '../../ui/button'
import { Facts } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { Dialog } from '../../ui/dialog'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Time } from '../../ui/time'
import { type MessageRow, messageWords } from './message-words'

/** The messages to an institution, newest first. */
export function Messages({ id }: { id: string }) {
  const [shown, setShown] = useState<MessageRow | null>(null)
  const list = useList<MessageRow>({
    key: ['messages', id],
    limit: 10,
    page: (after, limit, signal) => {
      const query = { participantId: id, order: 'desc' as const, limit, ...(after ? { after } : { count: true }) }
      return pageOf(message.GET('/messages', { params: { query }, signal }))
    },
  })
  return (
    <>
      <DataTable
        title="Messages"
        columns={columns}
        list={list}
        onSelect={(row) => setShown(row)}
        empty={<p class="card-line">Nothing was sent to it yet.</p>}
      />
      {shown ? (
        <Dialog title="Message" isWide onClose={() => setShown(null)}>
          <div class="act">
            <p class="said">{messageWords(shown)}</p>
            <Facts
              of={[
                ['Type', shown.type],
                ['Sent', <Time at={shown.createdAt} zone />],
                ['Id', <Id value={shown.id} isWhole />],
              ]}
            />
            <JsonView of={shown.data} title="The whole message" />
            <div class="act-buttons">
              <Button look="main" onClick={() => setShown(null)}>
                Close
              </Button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

const columns: readonly Column<MessageRow>[] = [
  { head: 'Message', narrow: 'lead', cell: (row) => <span class="message-line">{messageWords(row)}</span> },
  { head: 'Type', narrow: 'sub', cell: ({ type }) => type },
  { head: 'Sent', align: 'end', narrow: 'sub-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
