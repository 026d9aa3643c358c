package rank

// everyday says with which words tools are described for what people say: on
// the left what is said, on the right what stands in names and descriptions. An
// expression is written with underscores; its last word may stand apart, as in
// turn the volume down. It works one way: a tool that says the word on the left
// is not one for all those on the right.
//
// The lines follow kinds of words, not tools: question words, verbs with their
// particles, qualities and what they are measured by, and things by the names
// that those who make tools give them.
const everyday = `
how_many > count number total query
how_much > price cost amount count
how_long > duration length time
how_far > distance route
how_old > age date created
how_big how_large how_small > size dimension info
how_often > frequency count history
how_fast > speed performance
how_late > time
when what_time what_day > time date schedule
where whereabouts > location path find address
who whose whom > user person people author member contact
why how_come > analyze analysis issue insight cause explain diagnose debug

throw_away throw_out get_rid_of rid bin trash scrap ditch wipe_out take_down tear_down cross_out > delete remove clear
clean_up tidy_up clear_out > clear delete remove reset
put place leave lay deposit > add create insert append set
put_in put_into bring_in > add insert create upload
put_on stick_on > add apply
put_up > post publish add
put_together > create combine merge build
put_back bring_back take_back go_back_to roll_back > restore reset revert
put_off push_back > update reschedule move
write_down note_down jot_down take_down put_down > create add append note write
write_to drop_a_line get_in_touch reach_out > send message email
fill_in fill_out fill > fill enter type form
type_in key_in > type enter fill
look_up look_for hunt_for seek_out dig_up > search find query lookup get
look_at look_into look_over go_through go_over > read get view inspect analyze
find_out work_out figure_out > search get analyze calculate query
check_out > view get
check_on > status get check
keep_up follow_up stay_on_top keep_track keep_tabs > track monitor watch status
look_after > manage monitor
tell_me_when let_me_know notify_me ping_me alert_me > watch monitor alert notify subscribe
give_me show_me get_me bring_me hand_me > get list show
sum_up boil_down > summarize summary
break_down take_apart > split analyze parse
come_up_with think_up make_up dream_up > generate create
set_up start_up spin_up bring_up stand_up fire_up > create start configure setup launch
turn_on switch_on > enable start activate
turn_off switch_off shut_down shut_off take_offline > disable stop pause close
turn_up turn_down > set adjust level
switch_to switch_over change_to change_over > select switch checkout set change
start_over begin_again from_scratch > reset restart
try_out > test run
carry_out kick_off > run execute start
pull_up open_up > open show navigate
pull_out take_out get_out > extract export get
pull_in bring_together > import merge fetch
hand_over pass_on > send transfer assign
sign_in log_in log_on > login authenticate auth credentials
sign_up > register create account subscribe
sign_out log_out > logout close
go_to head_to take_me_to jump_to > navigate open goto url
go_back > navigate back history
scroll_down scroll_up > scroll page
wait_until wait_till hold_on > wait
call_off > cancel delete
go_live push_live roll_out ship_it > deploy publish release
take_back undo unsend > undo revert reset restore
zoom_in zoom_out > zoom resize
think_through reason_about mull_over ponder > think reasoning analyze step
line_up > schedule align sort
hide conceal > hide disable hidden visibility
grab snag snap nab > get take capture download
stash shelve tuck_away squirrel > save store stash
fiddle tweak touch_up polish > edit update modify
press tap hit push > click press button
glance peek skim > read view preview
eavesdrop listen_in > monitor listen logs
recall remind > remember retrieve memory
rerun redo retry again > run retry restart
hurry rush > fast priority
forward relay > send forward
spell_out > explain describe
dig_into drill_down > analyze inspect details query
boss lead > manage manager

slow sluggish laggy lag slower slowest > performance speed latency trace profile timing
fast faster fastest speedy snappy > performance speed
hang hangs freeze frozen stuck unresponsive > performance status error trace
crash crashing crashed broken break breaking fail failing fails wrong bust > error exception failure log debug issue
heavy bloated > size weight memory
leak leaks leaking > memory heap leak
expensive pricey cheap > price cost
loud quiet noisy > volume audio
bright dim dark > theme color brightness scheme
big large huge small tiny wide narrow tall > size dimension resize width height
safe unsafe dangerous risky secure insecure hack hacked hacker > security vulnerability advisory audit permission
private public visible hidden > visibility access permission
pretty ugly nice-looking > style design css
new newest latest recent fresh > recent latest new updated date
old outdated stale > version date history age
missing lost gone disappeared > find search restore missing
different differs differ > diff difference compare
same identical equal > duplicate compare match
busy free available > availability calendar schedule freebusy
sleeping dormant idle > paused inactive status
full empty > storage usage status size
done finished ready > status complete state
similar alike akin > related similar semantic recommend
important urgent > priority
famous popular > popular trending top stars
true right correct wrong false > verify check validate
alone together > share group
upcoming next soon > upcoming schedule events
yesterday earlier before previously ago last > history log date recent past

webpage page site website homepage web online link > url web page website browser site
internet net online google > web search internet
google bing yahoo duckduckgo > search web
surf browse visit > navigate browser url open
button link menu dropdown checkbox > click element select
picture photo pic snap image shot > screenshot image picture capture
film movie clip > video screencast recording record
blog article post story > page content article scrape fetch
article text content > content page read fetch
headline headlines > title news
shop store webshop market > product website order
form survey questionnaire > form fill
popup dialog prompt box > dialog
tab tabs window > tab page browser window
phone mobile handset smartphone tablet ipad iphone android > mobile device viewport emulate emulation resize
screen monitor display > screen screenshot viewport display
cookie cookies tracking > cookie storage session
traffic > network requests analytics
seo findability > seo audit search
accessible disability disabled deaf impaired wheelchair > accessibility audit a11y
sitemap subpages links > map urls site links
layout font color colour look > css style layout theme design

repo project codebase source > repository code project git
history timeline past > history log commits list
change changes changed modified edited > diff status changes modified log
version versions release > version release tag commit
save checkpoint > commit save store write
coworker colleague teammate staff team > user member people
developer coder programmer > code author user
bug glitch defect > issue bug error
app program software package tool > application project package
library framework sdk module api > library documentation docs package
manual handbook docs reference howto > documentation docs guide
snippet sample example > example code snippet
server backend cloud host > server project service function instance
lambda serverless > function deploy edge
script routine job cron > script function run task schedule
setting settings preferences options > config configuration setting
password login credential secret > credentials auth key token
key keys token > key token api

database db base store records > database table query sql data
row rows entry entries record records line lines > row record insert query item block
column columns field fields > column schema field describe property
spreadsheet excel sheet > table spreadsheet sheet data
customer customers client buyer order orders sale sales invoice invoices product products employee employees > table query database select data record
number numbers figure figures statistic > query count data metric number
average sum total > query aggregate calculate
list listing overview inventory > list
structure layout schema shape > schema describe structure outline
backup copy > backup export snapshot
sort order rank > sort order query

note notes memo jotting scribble diary journal > page note block document memo
document doc paper file text writing > page document file content
notebook wiki handbook workspace binder > page notion workspace document database
page sheet > page document block
paragraph section bullet sentence line chapter heading > block section content append
todo task chore errand checklist > task todo item page database
comment remark feedback reply reaction opinion > comment feedback message
folder drawer cabinet > folder directory collection parent
title name heading > title name property
template boilerplate > template
meeting appointment call conference > meeting event calendar
idea insight thought finding lesson > insight memo note thought

paper papers study studies research literature publication thesis science scientist > paper papers arxiv research search abstract
reference references bibliography source sources citation cite cites cited citing > citation citations references cite
author scientist professor > author authors
summary gist abstract tldr > abstract summary
chapter conclusion appendix > section outline read
formula equation math > latex math equation
topic subject field area > topic category search

clock hour o'clock minute time > time timezone clock current
zone abroad overseas > timezone convert
city town country place > location city timezone region
today now currently > current now time date
weekday week month year day > date day calendar

email mail letter inbox > email message mail
text chat dm ping whisper > message chat send
speak talk say > message speech voice
announce announcement tell > post message notify
friend mate mother father brother sister wife husband boss > contact person
contact phonebook > contact people

money cash dough > payment balance amount
bill fee charge due > invoice cost bill price
plan subscription tier > plan subscription organization
company firm business employer > organization company
bucket drive disk upload > storage file bucket
health wellbeing check-up > status health check
report write-up > report page create document
plan strategy approach solution problem puzzle dilemma > think thought planning problem reasoning step
`
