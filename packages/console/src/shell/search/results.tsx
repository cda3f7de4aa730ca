import type { ApiError } from '../../api/api-error'
import { ErrorNote } from '../../ui/states'
import { Status } from '../../ui/status'
import type { SearchOption } from './options'
import type { SearchResult } from './search-query'

/** The options for the text in the field, and which services did not answer. */
export interface Found {
  options: readonly SearchOption[]
  silent: SearchResult['silent']
  error: ApiError | null
  /** False while an answer for this text is still to come. */
  isCurrent: boolean
}

interface ResultsProps {
  id: string
  found: Found
  place: number
  optionId(i: number): string
  onChoose(option: SearchOption): void
}

/** The list below the search field: the results, and the services that did not answer. */
export function Results({ id, found, place, optionId, onChoose }: ResultsProps) {
  const { options, silent, error, isCurrent } = found
  return (
    <div class="search-results">
      <div id={id} role="listbox" aria-label="Found" aria-busy={!isCurrent}>
        {options.map((option, i) => (
          <Option key={option.key} id={optionId(i)} of={option} isActive={i === place} onChoose={onChoose} />
        ))}
      </div>
      {options.length === 0 ? <p class="search-note">{isCurrent ? nothing : 'Looking…'}</p> : null}
      {error ? <ErrorNote error={error} title="The search failed." /> : null}
      {silent.length > 0 && isCurrent ? (
        <p class="search-note tone-wait">
          No answer from {silent.map(({ service }) => service).join(', ')}: there may be more results.
        </p>
      ) : null}
    </div>
  )
}

const nothing = 'Nothing has this id, reference, hash or address, and no name begins with this.'

function Option({
  id,
  of,
  isActive,
  onChoose,
}: {
  id: string
  of: SearchOption
  isActive: boolean
  onChoose(option: SearchOption): void
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its arrow keys and Enter choose
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      class={isActive ? 'search-option is-active' : 'search-option'}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' })
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(of)}
    >
      <span class="search-kind">{of.kind}</span>
      <span class="search-title">
        {of.title}
        {of.detail ? <span class="sub">{of.detail}</span> : null}
      </span>
      {of.status ? <Status value={of.status} /> : null}
    </div>
  )
}
