# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of regtrail for bash: commands, their options (as `regtrail help` lists
# them), statuses, and files.
_regtrail()
{
	local word=${COMP_WORDS[COMP_CWORD]} command='' i
	local commands='init compare report outbox send ingest list show replies search similar confirm reject set reopen undo dup undup note scan patches patch digest remind sync explain parse export forget check help'

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--config | --color) ((i++)) ;;
		-*) ;;
		*)
			command=${COMP_WORDS[i]}
			break
			;;
		esac
	done
	if [[ -z $command ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands --config --color --help --version" -- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(regtrail help "$command" 2>/dev/null |
			grep -oE -- '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+') --config --color --help" -- "$word")
	elif [[ $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands status" -- "$word")
	elif [[ $command == outbox ]]; then
		mapfile -t COMPREPLY < <(compgen -W 'show approve cancel retry sent' -- "$word")
	elif [[ $command == set ]]; then
		mapfile -t COMPREPLY < <(compgen -W 'reported acknowledged needs-info investigating fix-posted fix-queued fixed expected ignored invalid not-reproducible duplicate dropped' -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}
complete -o filenames -F _regtrail regtrail
