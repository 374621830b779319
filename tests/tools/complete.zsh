# complete.zsh FOLDER LINE: what zsh offers for LINE with the completion functions in FOLDER, one a line.
# A second zsh, in a terminal of its own, has the line typed and Tab pressed.

zmodload zsh/zpty || exit 125
folder=$1 typed=$2

# Every match that a completion function adds is printed between two marks.
prepare='
PROMPT= RPROMPT=
fpath=('${(qq)folder}' $fpath)
autoload -Uz compinit && compinit -D -u
zle_highlight=(none)
bindkey "^I" complete-word
compadd() {
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
		builtin compadd "$@"
		return
	fi
	local -a added
	builtin compadd -A added "$@"
	builtin compadd "$@"
	local status_=$?
	(( ! $#added )) || print -rl -- "<"${^added}">"
	return $status_
}
finish() { print -r -- "<>"; exit }
comppostfuncs=(finish)
print "<ready>"
'
zpty shell zsh -f -i
zpty -w shell "source =(print -r -- ${(qq)prepare})"
while zpty -r shell line && [[ $line != '<ready>'* ]]; do :; done
zpty -w -n shell "$typed"$'\t'
while zpty -r shell line; do
	line=${line%%[[:space:]]#}
	[[ $line != *'<>'* ]] || break
	[[ $line != *'<'?*'>'* ]] || print -r -- ${${line##*<}%%>*}
done
zpty -d shell
