import { useRef, useState } from 'preact/hooks'
import type { operations } from '#types/main-api'
import { apiBase, consoleFetch } from '../../api/http'
import { wholeList } from '../../api/list'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { main, serviceUrl } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { formatBytes } from '../../format/bytes'
import { toWords } from '../../format/words'
import { Act, type ActInput } from '../../ui/act'
import { Button, LinkButton } from '../../ui/button'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Dialog } from '../../ui/dialog'
import { DialogButton } from '../../ui/dialog-button'
import { Field, Problem, useChecked } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { Time } from '../../ui/time'

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

const suggestedTypes = ['CERTIFICATE_OF_INCORPORATION', 'LICENCE', 'OWNERSHIP', 'AML_POLICY', 'BANK_LETTER']

/** Uploads a document; the same file for the same purpose again gives the existing document. */
function UploadDocument({ id, onClose }: { id: string; onClose(): void }) {
  return (
    <Act
      title="Upload a document"
      confirm="Upload"
      act={(input) => upload(id, input)}
      done="The document is stored"
      onDone={() => reread(['documents', id])}
      onClose={onClose}
    >
      <p>A PDF, PNG or JPEG of at most 10 MiB. It is kept permanently: a document cannot be deleted.</p>
      <Field label="What it is" name="type" list="document-types" required pattern=".*\S.*" maxLength={100} />
      <datalist id="document-types">
        {suggestedTypes.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <FileField
        label="File"
        name="file"
        accept={['application/pdf', 'image/png', 'image/jpeg']}
        mostBytes={10 * 1024 * 1024}
      />
    </Act>
  )
}

async function upload(id: string, { form, headers }: ActInput): Promise<void> {
  const body = new FormData()
  for (const name of ['type', 'file']) body.set(name, form.get(name) ?? '')
  const url = new URL(`${apiBase}/main/v1/participants/${id}/documents`, location.origin)
  await consoleFetch(new Request(url, { method: 'POST', headers, body }))
}

interface Props {
  label: string
  name: string
  /** Media types. */
  accept: readonly string[]
  mostBytes: number
}

/** A file of a form: chosen by a button, by keyboard, or dropped here; its name and size stay in view. */
function FileField({ label, name, accept, mostBytes }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [isOver, setOver] = useState(false)
  const { id, problem, control } = useChecked()
  function take() {
    const chosen = input.current?.files?.[0] ?? null
    setFile(chosen)
    input.current?.setCustomValidity(chosen === null ? '' : refusalOf(chosen, { accept, mostBytes }))
    control.onInput()
    if (chosen !== null) input.current?.checkValidity()
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same, by keyboard too */}
      <div
        class={isOver ? 'file-field is-over' : 'file-field'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          if (!input.current || !event.dataTransfer?.files.length) return
          input.current.files = event.dataTransfer.files
          take()
        }}
      >
        <input
          ref={input}
          class="visually-hidden"
          type="file"
          id={id}
          name={name}
          required
          accept={accept.join(',')}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-chosen${problem ? ` ${id}-problem` : ''}`}
          onInvalid={control.onInvalid}
          onChange={take}
        />
        <label for={id} class="button is-plain">
          <Icon name="upload" /> {file ? 'Choose another' : 'Choose a file'}
        </label>
        <span id={`${id}-chosen`} class="file-chosen">
          {file ? (
            <>
              <b>{file.name}</b> <span class="hint">{formatBytes(file.size)}</span>
            </>
          ) : (
            <span class="hint">or drop it here</span>
          )}
        </span>
      </div>
      <Problem id={id}>{problem}</Problem>
    </div>
  )
}

/** Why the service would refuse the file; empty for a good one. */
function refusalOf({ size, type }: File, { accept, mostBytes }: Pick<Props, 'accept' | 'mostBytes'>): string {
  if (size === 0) return 'The file is empty.'
  if (size > mostBytes) return `The file is larger than ${formatBytes(mostBytes)}.`
  return accept.includes(type) ? '' : 'The file is not a PDF, PNG or JPEG.'
}
