package rank

// everydayMore is more of the everyday list: common verbs and things of work with
// pages, code, data and texts, and of life at home.
const everydayMore = `
unstage un-stage > reset unstage
uncommitted unsaved pending_changes local_changes not_committed > status diff unstaged uncommitted changes
staged ready_to_commit about_to_commit > staged diff status
revision changeset checkin > commit show log
who_wrote who_changed who_edited who_did who_touched who_broke > log history author blame commit
what_have_i_changed what_did_i_change what_is_new_in > diff status log
jump_back_to go_over_to > checkout switch restore
experiment offshoot side_line > branch create
sandbox staging preview_copy test_copy dev_copy > branch environment create
merge_in bring_over fold_in > merge
throw_out_changes discard_changes drop_changes > reset discard restore
put_aside set_aside > stash save
contributor committer > author log user
clone_it fork_it > clone fork
patch_note release_note release_notes changelog > release log commit history

hover mouse_over point_at move_mouse > hover
drag drop_it pull_over > drag drop
tick untick check_box uncheck choose_option pick_from > click select option fill
enter_text type_into > type fill
go_forward step_back previous_page next_page > navigate back page
reload refresh load_again > reload navigate refresh
new_tab another_tab > tab new open
shut close_down dismiss > close
say_yes say_no agree_to decline > handle dialog accept dismiss
slow_connection bad_connection offline 3g weak_network > emulate network throttle
night_mode > emulate color scheme theme
small_screen different_screen other_screen > resize emulate viewport
white_page blank_page red_text warning warnings > console error message log
load_time loading_time take_to_load takes_to_load loads_slowly page_speed web_vitals > performance trace insight
api_call api_calls ajax xhr calls_home third_party > network request
run_javascript inject console_command > evaluate script
attach_file choose_file hand_in > upload file
what_is_on_screen what_is_shown what_you_see what_can_you_see > snapshot screenshot
leftover leaking ram > memory heap snapshot
screen_reader alt_text contrast keyboard_only > accessibility audit
best_practice best_practices grade rate_my_site > audit lighthouse score
record_screen film_screen > screencast record video
keyboard shortcut hotkey press_enter press_return > press key keyboard
login_page sign_in_form contact_form > form fill navigate

pull_text pull_data pull_info collect_data gather_data harvest copy_data lift_data > extract scrape
whole_site entire_site whole_website entire_website all_pages all_the_pages > crawl map site
what_pages which_pages > map urls
keep_eye watch_for let_me_hear inform_me warn_me > monitor watch alert notify
look_online look_on_the_web search_online find_online check_online > search web
prior_work earlier_work related_work similar_work builds_on > related citation papers semantic
save_a_paper keep_paper > download papers
latest_papers newest_papers alerts_for > papers watch search alert
convert_file turn_into_text ocr scan_of word_file > parse convert document extract

make_a_table set_up_table > create table
put_in_table write_to_table add_row add_record add_line add_entry > insert write row append
change_row fix_row correct_entry correct_record > update write query
how_is_built how_is_structured what_does_look_like which_fields what_fields > describe schema columns structure
slow_query missing_index unindexed > advisors performance index
connection_string endpoint_address base_url > url project
api_keys public_key anon_key > keys publishable
what_went_wrong what_happened server_logs crash_report > logs query
add_on plugin plug-in extension_of > extensions list
wake wake_up bring_back_to_life back_to_life revive unfreeze > restore resume
put_to_sleep freeze mothball park > pause
edge_function server_code > function deploy edge

what_is_the_time current_time > current time
time_difference hours_ahead hours_behind ahead_of behind_of in_my_time their_time my_time our_time > convert time timezone
which_timezone > timezone time current

add_to_page add_to_note at_the_bottom below_it underneath > append children block page
new_page blank_page fresh_page start_a_page > create page post
take_notes make_note make_a_note new_note > create page note
change_title new_title call_it retitle > update title rename page
move_page move_note under_another > move page parent
get_rid_of_page throw_page > delete archive trash
answer_to respond_to leave_a_note leave_a_word leave_a_message > comment create
what_people_said what_was_said discussion thread > comments list retrieve
who_works_with members who_has_access > users list members
knowledge_base kb our_docs our_notes my_notes our_wiki > search page workspace
what_does_say what_is_written what_stands > read get retrieve content

how_to_use how_does_work how_do_you usage > docs documentation guide query
which_function api_reference function_reference > docs library documentation
step_by_step bit_by_bit piece_by_piece > step sequential thinking thought
think_hard think_carefully think_twice reason_through hard_problem tricky tough > sequential thinking reasoning
weigh_options pros_and_cons make_a_decision decide > think analyze compare evaluate

borrow lend rent_out > rent rental loan
cook fry roast boil grill > recipe cook
tidy vacuum mop scrub wash dust > clean cleaning
mend fix_up patch_up > repair fix
ache sore hurt dizzy sick ill unwell > symptom health doctor
pill pills tablets dose > medicine drug
lose_weight slim get_fit in_shape work_out burn_calories > fitness exercise workout diet
fall_asleep bedtime nap > sleep
tired stressed worried sad lonely anxious > mental mood stress therapy
set_off > alarm set
don't_forget do_not_forget remember_to > reminder remind create
go_out night_out things_to_do what_to_do fun_things > events activities attractions
what_is_on on_tv > program schedule movie events
eat_out place_to_eat hungry > restaurant
somewhere_to_stay place_to_stay sleep_in > hotel accommodation
fly_to fly_from fly > flight
get_to get_from drive_to way_to how_do_i_get walk_to > directions route
pick_me_up lift_to ride_to > taxi ride
worth value_of valued > price value estimate
go_up go_down rise fall > trend price change
save_up put_aside_money spend spending afford > budget expense finance
owe owes debt debts > loan balance payment debt
pay_off pay_back instalment > loan payment
wire send_money give_money > transfer payment send
refund money_back return_it > refund return order
hire recruit fill_position > job candidate recruit
find_work get_hired apply_for looking_for_work > job search
move_house move_to new_home flat > apartment property rent home
sing hum tune > song music
put_on_music play_something > play music
next_song skip_song > skip next track
read_aloud read_out say_aloud speak_out > speech text audio voice
write_out take_dictation what_is_said > transcript transcribe speech
in_other_words reword rephrase say_differently > paraphrase rewrite
mean meaning_of what_does_mean stands_for > definition dictionary meaning
spell spelled proofread typos > spelling grammar check
who_was what_was when_was > search web information encyclopedia person
made_up tell_me_a_story once_upon > story generate
make_me_laugh cheer_up > joke
pastime hobby bored > activity random
square_root squared cubed to_the_power > power root calculate
percent percentage > percentage calculate rate
smallest lowest least fewest shortest > minimum smallest sort
miles kilometers kilometres meters metres feet inches yards > distance length unit convert
kilograms kilos grams ounces > weight unit convert
litres liters gallons cups > volume unit convert
lights_on lights_off heating warmer cooler dim_the > device light thermostat set control
unlock_the > lock door
washing_machine dishwasher fridge oven microwave kettle > appliance
where_is_my track_my has_arrived arrive_yet > track status package delivery order
flat_tyre flat_tire engine mechanic > car vehicle repair
talk_to_someone talk_to_a_person real_person speak_to_a > agent human support transfer
`
