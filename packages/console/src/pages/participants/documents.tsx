import type { operations } from '#types/main-api'
import { wholeList } from '../../api/list'
import { useRead } from '../../api/read'
import { main, serviceUrl } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { formatBytes } from '../../format/bytes'
import { toWords } from '../../format/words'
import { Button, LinkButton } from '../../ui/button'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Dialog } from '../../ui/dialog'
import { DialogButton } from '../../ui/dialog-button'
import { Time } from '../../ui/time'
import { UploadDocument } from './upload-document'

type DocumentRow = operations['listDocuments']['responses'][200]['content']['application/json']['data'][number]

/** The documents of an institution: view, save, upload. */
export function Documents({ id }: { id: string }) {
  const isAdmin = useSession().user.roles.includes('participant-admin')
  const canUpload = useCan('operate') || isAdmin
  const documents = useRead(['documents', id], (signal) =>
    main.GET('/participants/{id}/documents', { params: { path: { id } }, signal }),
  )
  return (
    <DataTable
      title="Documents"
      aside={
        canUpload ? (
          <DialogButton isSmall icon="upload" dialog={(close) => <UploadDocument id={id} onClose={close} />}>
            Upload
          </DialogButton>
        ) : null
      }
      columns={columnsOf(id)}
      list={wholeList(documents.data?.data, documents)}
      empty={<p class="card-line">There is none yet. The institution’s own users and operators upload them.</p>}
    />
  )
}

const fileUrl = (id: string, documentId: string) => serviceUrl('main', `/participants/${id}/documents/${documentId}`)

const columnsOf = (id: string): readonly Column<DocumentRow>[] => [
  { head: 'Document', narrow: 'lead', cell: ({ type }) => <b>{toWords(type)}</b> },
  { head: 'File', narrow: 'sub', cell: ({ fileName }) => fileName },
  { head: 'Size', align: 'end', narrow: 'hide', cell: ({ size }) => formatBytes(size) },
  { head: 'Uploaded', narrow: 'hide', cell: ({ uploadedAt }) => <Time at={uploadedAt} /> },
  amountColumn(
    (row) => (
      <span class="row">
        {isImage(row) ? (
          <DialogButton
            isSmall
            aria-label={`Look at ${row.fileName}`}
            dialog={(close) => <Preview id={id} of={row} onClose={close} />}
          >
            Look
          </DialogButton>
        ) : null}
        <LinkButton
          isSmall
          icon="download"
          href={fileUrl(id, row.id)}
          download={row.fileName}
          aria-label={`Save ${row.fileName}`}
        />
      </span>
    ),
    'Actions',
  ),
]

/** A PDF is only saved: the console does not show external documents in frames. */
const isImage = ({ mimeType }: DocumentRow) => mimeType.startsWith('image/')

function Preview({ id, of, onClose }: { id: string; of: DocumentRow; onClose(): void }) {
  return (
    <Dialog title={toWords(of.type)} isWide onClose={onClose}>
      <img class="document-image" src={fileUrl(id, of.id)} alt={`${toWords(of.type)}: ${of.fileName}`} />
      <p class="hint">
        {of.fileName}, {formatBytes(of.size)}, uploaded <Time at={of.uploadedAt} isWhole />
      </p>
      <div class="act-buttons">
        <LinkButton icon="download" href={fileUrl(id, of.id)} download={of.fileName}>
          Save
        </LinkButton>
        <Button look="main" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
