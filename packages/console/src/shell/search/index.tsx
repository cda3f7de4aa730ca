import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { ApiError } from '../../api/api-error'
import { useSession } from '../../api/session'
import { routesFor } from '../../routes'
import { announce } from '../../ui/announce'
import { Icon } from '../../ui/icon'
import { Kbd } from '../../ui/kbd'
import { ErrorNote } from '../../ui/states'
import { Status } from '../../ui/status'
import { nextPlace, optionsFor, type SearchOption } from './options'
import { fewestCharacters, type SearchResult, useSearch } from './search-query'

const typingPauseMs = 180
const words = 'Search by any id, reference, hash or address'

/** Finds anything by an id, a reference, a hash, an address or the beginning of a name, and the console's pages. */
export function Search() {
  const { route } = useLocation()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [place, setPlace] = useState(-1)
  const [isFirstWanted, wantFirst] = useState(false)
  const list = useId()
  const found = useFound(text)
  const { options } = found
  const isShown = isOpen && text.trim().length >= fewestCharacters
  const optionId = (i: number) => `${list}-${i}`

  // A layout effect, which runs before the next key: an Enter right after it would be lost otherwise.
  useLayoutEffect(() => {
    setPlace(-1)
    wantFirst(false)
  }, [text])
  // Enter before the answer arrives chooses its first option.
  const [first] = options
  useEffect(() => {
    if (isFirstWanted && isShown && found.isCurrent && first) choose(first)
  }, [isFirstWanted, found.isCurrent, first?.key])
  const close = () => setOpen(false)
  const choose = ({ href }: SearchOption) => {
    setText('')
    close()
    field.current?.blur()
    route(href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return stepOut()
    if (!isShown || event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setPlace(nextPlace(place, event.key === 'ArrowDown' ? 1 : -1, options.length))
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    const chosen = options[place]
    if (chosen) choose(chosen)
    else wantFirst(true)
  }
  /** Escape closes the list, then clears the text, then leaves the field. */
  const stepOut = () => {
    if (isShown) return close()
    if (text === '') field.current?.blur()
    setText('')
  }

  return (
    <search
      class="search"
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) close()
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        data-search
        type="text"
        role="combobox"
        enterKeyHint="search"
        aria-label={words}
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isShown && place >= 0 ? optionId(place) : undefined}
        placeholder={words}
        autoComplete="off"
        spellcheck={false}
        maxLength={200}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <Kbd keys="/" />
      {isShown ? <Results id={list} found={found} place={place} optionId={optionId} onChoose={choose} /> : null}
    </search>
  )
}

/** The results for the text, requested when the typing pauses. */
function useFound(text: string): Found {
  const { user } = useSession()
  const [asked, setAsked] = useState('')
  const wanted = text.trim()
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), typingPauseMs)
    return () => clearTimeout(timer)
  }, [wanted])
  const result = useSearch(asked)
  const isCurrent = asked === wanted && !result.isFetching
  const hits = wanted.length >= fewestCharacters ? (result.data?.hits ?? []) : []
  const pages = routesFor(user.roles).filter(({ nav }) => nav)
  const options = optionsFor(wanted, hits, pages)
  useEffect(() => {
    if (isCurrent && wanted.length >= fewestCharacters && result.data) announce(`${options.length} found`)
  }, [isCurrent, asked])
  return { options, silent: result.data?.silent ?? [], error: result.error, isCurrent }
}

/** The options for the text in the field, and which services did not answer. */
interface Found {
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
function Results({ id, found, place, optionId, onChoose }: ResultsProps) {
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
