import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { deleteView, type SavedView, saveView, useSavedViews } from '../api/saved-views'
import { useCan, useSession } from '../api/session'
import { isSameQuery } from '../format/views'
import { Act } from './act'
import { notify, notifyRefusal } from './announce'
import { Field } from './field'
import { Icon } from './icon'

export interface View {
  name: string
  query: string
  /** The number of rows, if it is known. */
  count?: number | null
}

/** The views of a list as chips: those that it always has, those that were saved, and the present filters to save. */
export function Views({ page, views }: { page: string; views: readonly View[] }) {
  const isStaff = useCan('read')
  const { user } = useSession()
  const { url } = useLocation()
  const [isSaving, setSaving] = useState(false)
  const saved = useSavedViews(page, isStaff).data ?? []
  const present = url.replace(/^[^?]*\??/, '')
  const isKnown = [...views, ...saved].some(({ query }) => isSameQuery(query, present))
  return (
    <nav class="views" aria-label="Views">
      {views.map((view) => (
        <Chip key={view.name} page={page} of={view} present={present} />
      ))}
      {saved.map((view) => (
        <span key={view.id} class="view">
          <Chip page={page} of={view} present={present} />
          {view.ownerId === user.id || (view.isShared && user.roles.includes('admin')) ? (
            <Remove page={page} of={view} />
          ) : null}
        </span>
      ))}
      {isStaff && !isKnown ? (
        <button type="button" class="chip is-new" onClick={() => setSaving(true)}>
          <Icon name="plus" size={14} /> Save this view…
        </button>
      ) : null}
      {isSaving ? <SaveView page={page} query={present} onClose={() => setSaving(false)} /> : null}
    </nav>
  )
}

function Chip({ page, of: { name, query, count }, present }: { page: string; of: View; present: string }) {
  return (
    <a
      class="chip"
      href={query === '' ? page : `${page}?${query}`}
      aria-current={isSameQuery(query, present) ? 'page' : undefined}
    >
      {name}
      {count ? <span class="tab-count">{count}</span> : null}
    </a>
  )
}

function Remove({ page, of: { id, name } }: { page: string; of: SavedView }) {
  const remove = () => deleteView(page, id).then(() => notify(`The view ${name} is deleted`), notifyRefusal)
  return (
    <button type="button" class="copy" aria-label={`Delete the view ${name}`} onClick={() => void remove()}>
      <Icon name="cross" size={12} />
    </button>
  )
}

const SaveView = ({ page, query, onClose }: { page: string; query: string; onClose(): void }) => (
  <Act
    title="Save this view?"
    confirm="Save"
    act={({ form }) =>
      saveView(page, { name: String(form.get('name')).trim(), query, isShared: form.get('shared') === 'on' })
    }
    done="The view is saved"
    onClose={onClose}
  >
    <Field label="Name" name="name" required maxLength={40} autoFocus />
    <div class="check-row">
      <label>
        <input type="checkbox" name="shared" /> For everybody, not for me alone
      </label>
    </div>
  </Act>
)
