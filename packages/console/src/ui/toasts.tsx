import { useStore } from '../api/store'
import { announcement, dismiss, toasts } from './announce'
import { Icon } from './icon'

/** Results of acts: shown for a while, and announced to screen readers. Rendered once, in the frame. */
export function Toasts() {
  const all = useStore(toasts)
  const { id, text } = useStore(announcement)
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">
        <span key={id}>{text}</span>
      </div>
      <div class="toasts">
        {all.map((toast) => (
          <div key={toast.id} class={`toast tone-${toast.tone}`}>
            <Icon name={toast.tone === 'bad' ? 'bang' : 'check'} />
            <span>{toast.text}</span>
            <button type="button" class="copy" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
              <Icon name="cross" size={14} />
            </button>
          </div>
        ))}
      </div>
    </>
  )
}
